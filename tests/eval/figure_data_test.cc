#include "rhumb/eval/figure_data.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace rhumb::eval {
namespace {

TEST(FigureData, RoundsByHand) {
  EXPECT_EQ(RoundTo(6298.0845, 3), 6300);
  EXPECT_EQ(RoundTo(-0.0123456, 3), -0.0123);
  EXPECT_EQ(RoundTo(0, 3), 0);
  EXPECT_EQ(RoundedRows(std::vector<float>{0.1F, 1234.56F, -2, 1e-7F}, 2).dump(),
            "[[0.1,1234.6],[-2.0,1e-07]]");
  EXPECT_EQ(RoundedRows(std::vector<double>{1.0 / 3}, 1).dump(), "[[0.33333]]");
  EXPECT_EQ(RoundedList(std::vector<double>{}).dump(), "[]");
}

TEST(FigureData, WhatIsNotFiniteIsNull) {
  const std::vector<double> numbers = {std::numeric_limits<double>::quiet_NaN(),
                                       std::numeric_limits<double>::infinity(), 1};
  EXPECT_EQ(RoundedList(numbers).dump(), "[null,null,1.0]");
}

}  // namespace
}  // namespace rhumb::eval
