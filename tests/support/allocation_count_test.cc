#include "tests/support/allocation_count.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace rhumb::test {
namespace {

TEST(AllocationCount, CountsNewAndMalloc) {
  if (!AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  const AllocationCount count;
  EXPECT_EQ(count.since_construction(), 0u);
  const auto number = std::make_unique<int>(3);
  EXPECT_EQ(*number + static_cast<int>(count.since_construction()), 4);
  void* volatile memory = std::malloc(8);
  EXPECT_EQ(count.since_construction(), 2u);
  std::free(memory);
}

}  // namespace
}  // namespace rhumb::test
