#include "tests/support/allocation_count.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
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

TEST(FailingAllocation, OneFails) {
  if (!AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  int calls = 0;
  const auto use = [&] {
    ++calls;
    int* volatile first = new int(1);
    delete first;
    void* volatile second = std::malloc(8);
    std::free(second);
  };
  EXPECT_EQ(FailEveryAllocation(use), 2u);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(FailEveryAllocation(use, 2), 1u);
  int checks = 0;
  EXPECT_EQ(FailEveryAllocationOfChildren(use, [&] { ++checks; }), 2u);
  EXPECT_EQ(checks, 3);
  // Those of a library may be spared: `new` asks from libstdc++, and `malloc` from here.
  EXPECT_EQ(FailEveryAllocationOfChildren(
                use, [] {}, 1, "libstdc++"),
            1u);
  EXPECT_EQ(FailEveryAllocation([] {
              char* volatile copy = ::strdup("text");
              std::free(copy);
            }),
            1u);
  // A crash is no way to do without memory.
  EXPECT_EQ(FailEveryAllocationOfChildren([] { ::raise(SIGSEGV); }, [] {}), 0u);
}

}  // namespace
}  // namespace rhumb::test
