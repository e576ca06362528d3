#include "rhumb/learn/device/malloc_settings.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>

namespace rhumb::learn::device {
namespace {

// By default glibc maps every buffer above 32 MB on its own and unmaps it when it is freed.
TEST(MallocSettings, LargeBuffersComeFromTheHeap) {
  KeepFreedMemory();
  const std::size_t mapped = mallinfo2().hblks;
  void* volatile buffer = std::malloc(std::size_t{64} << 20);
  EXPECT_EQ(mallinfo2().hblks, mapped);
  std::free(buffer);
}

}  // namespace
}  // namespace rhumb::learn::device
