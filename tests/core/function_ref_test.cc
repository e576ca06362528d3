#include "rhumb/core/function_ref.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace rhumb::core {
namespace {

int CallWithTwo(FunctionRef<int(int)> function) { return function(2); }

TEST(FunctionRef, CallsWhatItRefersTo) {
  int offset = 40;
  EXPECT_EQ(CallWithTwo([&](int x) { return x + offset; }), 42);
  const auto twice = [](int x) { return 2 * x; };
  EXPECT_EQ(CallWithTwo(twice), 4);
}

TEST(FunctionRef, ChangesTheOriginalNotACopy) {
  int calls = 0;
  auto count = [calls](int) mutable { return ++calls; };
  const FunctionRef<int(int)> first = count;
  const FunctionRef<int(int)> second = first;
  EXPECT_EQ(first(0), 1);
  EXPECT_EQ(second(0), 2);
  EXPECT_EQ(count(0), 3);
}

TEST(FunctionRef, PassesArgumentsThatOnlyMove) {
  const auto unwrap = [](std::unique_ptr<int> x) { return *x; };
  const FunctionRef<int(std::unique_ptr<int>)> function = unwrap;
  EXPECT_EQ(function(std::make_unique<int>(5)), 5);
}

}  // namespace
}  // namespace rhumb::core
