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
  int checks = 0;
  EXPECT_EQ(FailEveryAllocationOfChildren(use, [&] { ++checks; }), 2u);
  EXPECT_EQ(checks, 3);
  // A crash is no way to do without memory.
  EXPECT_EQ(FailEveryAllocationOfChildren([] { ::raise(SIGSEGV); }, [] {}), 0u);
}

}  // namespace
}  // namespace rhumb::test
