#include "tests/core/allocation_count.h"

#include <gtest/gtest.h>

#include <memory>

namespace rhumb::core {
namespace {

TEST(AllocationCount, CountsWhatNewAllocates) {
  const AllocationCount count;
  EXPECT_EQ(count.since_construction(), 0u);
  const auto number = std::make_unique<int>(3);
  EXPECT_EQ(*number + static_cast<int>(count.since_construction()), 4);
}

}  // namespace
}  // namespace rhumb::core
