#include "rhumb/core/math/expression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"

namespace rhumb::core {
namespace {

class ExpressionTest : public testing::Test {
 protected:
  double Evaluate(const std::string& text) {
    return Expression(text, variables_, "spec.toml: objective").Evaluate();
  }
  std::string MessageOf(const std::string& text) {
    return test::ErrorOf([&] { Evaluate(text); });
  }

  double x_velocity_ = 3;
  double energy_ = 2;
  std::vector<Variable> variables_ = {{"x_velocity", &x_velocity_}, {"energy", &energy_}};
};

TEST_F(ExpressionTest, ReadsItsVariablesAtEachEvaluation) {
  const Expression expression("x_velocity - 0.5 * energy^2", variables_, "here");
  EXPECT_EQ(expression.Evaluate(), 1);
  x_velocity_ = 10;
  EXPECT_EQ(expression.Evaluate(), 8);
  EXPECT_EQ(expression.text(), "x_velocity - 0.5 * energy^2");
}

TEST_F(ExpressionTest, KeepsItsStorageWhenMoved) {
  Expression first("x_velocity + 1", variables_, "here");
  Expression second = std::move(first);
  first = Expression("energy", variables_, "here");
  EXPECT_EQ(second.Evaluate(), 4);
  EXPECT_EQ(first.Evaluate(), 2);
}

TEST_F(ExpressionTest, HasTheUsualFunctions) {
  EXPECT_EQ(Evaluate("clamp(x_velocity, 0, 1)"), 1);
  EXPECT_EQ(Evaluate("clamp(-x_velocity, 0, 1)"), 0);
  EXPECT_EQ(Evaluate("clamp(0.25, 0, 1)"), 0.25);
  EXPECT_EQ(Evaluate("min(x_velocity, energy) + max(1, 2, 7) + abs(-1)"), 10);
  EXPECT_EQ(Evaluate("x_velocity >= 3 && energy != 3 ? 5 : 6"), 5);
  EXPECT_DOUBLE_EQ(Evaluate("cos(_pi)"), -1);
}

TEST_F(ExpressionTest, NonFiniteResultsAreReturnedNotThrown) {
  EXPECT_TRUE(std::isnan(Evaluate("log(-1)")));
  EXPECT_TRUE(std::isnan(Evaluate("sqrt(-x_velocity)")));
  EXPECT_TRUE(std::isinf(Evaluate("1 / 0")));
  EXPECT_TRUE(std::isinf(Evaluate("x_velocity / (energy - 2)")));
  EXPECT_TRUE(std::isnan(Evaluate("clamp(log(-1), 0, 1)")));
}

TEST_F(ExpressionTest, EvaluationDoesNotAllocate) {
  const Expression expression("clamp(x_velocity, -10, 10) - 1e-3 * energy ^ 2 + min(1, energy, 3)",
                              variables_, "here");
  const test::AllocationCount count;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += expression.Evaluate();
  EXPECT_EQ(count.since_construction(), 0u);
  EXPECT_NEAR(sum, 1000 * (3 - 0.004 + 1), 1e-9);
}

TEST_F(ExpressionTest, UnknownNameIsAnErrorWithTheNearest) {
  EXPECT_EQ(
      MessageOf("1 + x_velosity"),
      "spec.toml: objective: unknown name 'x_velosity' at character 5 of '1 + x_velosity'; did "
      "you mean 'x_velocity'?");
  EXPECT_NE(MessageOf("clanp(1, 2, 3)").find("did you mean 'clamp'?"), std::string::npos);
}

TEST_F(ExpressionTest, TextThatDoesNotParseIsAnErrorWithTextPlaceAndPosition) {
  EXPECT_EQ(
      MessageOf("x_velocity +"),
      "spec.toml: objective: 'x_velocity +' does not parse at character 13: Unexpected end of "
      "expression");
  EXPECT_EQ(
      MessageOf("2 $ 3"),
      "spec.toml: objective: '2 $ 3' does not parse at character 3: Unexpected token \"$ 3 \"");
  EXPECT_EQ(MessageOf(""),
            "spec.toml: objective: '' does not parse at character 1: Expression is empty");
  EXPECT_NE(MessageOf("(energy"), "");
  EXPECT_NE(MessageOf("min()"), "");
}

TEST_F(ExpressionTest, SeveralValuesAreAnError) {
  EXPECT_EQ(MessageOf("1, 2"),
            "spec.toml: objective: '1, 2' gives 2 values separated by commas, not one");
}

TEST_F(ExpressionTest, CannotChangeAVariable) {
  EXPECT_EQ(MessageOf("energy = 9"),
            "spec.toml: objective: 'energy = 9' assigns at character 8; to compare, write '=='");
  EXPECT_NE(MessageOf("energy == (energy = 9)"), "");
  EXPECT_EQ(energy_, 2);
}

TEST_F(ExpressionTest, RefusesNamesThatExpressionsCannotUse) {
  for (const char* name : {"x-velocity", "2x", "", "sin", "_pi"}) {
    variables_ = {{name, &energy_}};
    EXPECT_NE(MessageOf("1").find("cannot name a quantity"), std::string::npos) << name;
  }
}

TEST_F(ExpressionTest, NamesInListsVariablesOnce) {
  EXPECT_EQ(Expression::NamesIn("b * a + clamp(c, 0, _pi) - a", "here"),
            (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(Expression::NamesIn("1 + 2", "here").empty());
  EXPECT_NE(test::ErrorOf([] { Expression::NamesIn("a *", "here"); }), "");
}

// For any text the result is a number or an Error, and the quantities stay unchanged.
RC_GTEST_PROP(Expression, AnyTextIsANumberOrAnError, ()) {
  const auto pieces =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "x",   "y",     "1",   ".5e3", "+",  "-",  "*",  "/",        "^", "(",
          ")",   ",",     "=",   "==",   "<=", "!",  "&&", "||",       "?", ":",
          "min", "clamp", "sin", "_pi",  " ",  "\"", "#",  "\xc3\xa9", "%", "0x"}));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  double x = 1;
  double y = 2;
  const std::vector<Variable> variables = {{"x", &x}, {"y", &y}};
  test::ErrorOf([&] { Expression(text, variables, "here").Evaluate(); });
  RC_ASSERT(x == 1 && y == 2);
}

}  // namespace
}  // namespace rhumb::core
