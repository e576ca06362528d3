#include "rhumb/steer/query/query_expression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "rhumb/core/math/expression.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

net::ModelDescription Cheetah() {
  net::ModelDescription model;
  model.objectives = {{"forward", "", "", 3000, 1000, -100, 7000},
                      {"energy", "", "", -1500, 800, -4000, -20},
                      {"height", "m", "mean(torso_height)", 0.6, 0.1, 0.3, 0.8}};
  return model;
}

QueryExpression ParseTerm(const std::string& text) {
  return QueryExpression::Parse(text, Cheetah(), "require");
}

std::string MessageOf(const std::string& text) {
  return test::ErrorOf([&] { ParseTerm(text); });
}

using Numbers = std::vector<double>;

TEST(QueryExpression, ObjectiveIsItself) {
  const QueryExpression expression = ParseTerm(" energy ");
  EXPECT_EQ(expression.text, "energy");
  EXPECT_EQ(expression.numerator, (Numbers{0, 1, 0}));
  EXPECT_EQ(expression.numerator_constant, 0);
  EXPECT_TRUE(expression.denominator.empty());
  EXPECT_EQ(expression.Evaluate(Numbers{1, 2, 3}), 2);
}

TEST(QueryExpression, LinearCombinationHasTheCoefficientsAsWritten) {
  const QueryExpression expression = ParseTerm("0.1*forward - (energy - 7)/4 + 3*(height + 1)");
  EXPECT_EQ(expression.numerator[0], 0.1);
  EXPECT_EQ(expression.numerator[1], -0.25);
  EXPECT_EQ(expression.numerator[2], 3);
  EXPECT_EQ(expression.numerator_constant, 4.75);
  EXPECT_TRUE(expression.denominator.empty());
  Numbers gradient = {1, 1, 1};
  expression.AddGradient(Numbers{5, 6, 7}, 2, gradient);
  EXPECT_EQ(gradient, (Numbers{1.2, 0.5, 7}));
}

TEST(QueryExpression, RatioHasItsValueAndGradient) {
  const QueryExpression expression = ParseTerm("forward/(energy - 10)");
  // The denominator is positive for negative energy, as in the data.
  EXPECT_EQ(expression.numerator, (Numbers{-1, 0, 0}));
  EXPECT_EQ(expression.denominator, (Numbers{0, -1, 0}));
  EXPECT_EQ(expression.denominator_constant, 10);
  EXPECT_TRUE(std::isnan(expression.Evaluate(Numbers{60, 11, 1})));
  const Numbers values = {60, -10, 1};
  EXPECT_EQ(expression.Evaluate(values), -3);
  // d/dforward = 1/-20; d/denergy = -60/400.
  Numbers gradient = {0, 1, 0};
  expression.AddGradient(values, 2, gradient);
  EXPECT_EQ(gradient, (Numbers{-0.1, 1 - 0.3, 0}));
}

TEST(QueryExpression, ProductsAndQuotientsAreReadFromTheLeft) {
  const Numbers values = {60, -10, 0.5};
  EXPECT_EQ(ParseTerm("2*forward/energy").Evaluate(values), -12);
  EXPECT_EQ(ParseTerm("forward/energy*2").Evaluate(values), -12);
  EXPECT_EQ(ParseTerm("forward/energy/2").Evaluate(values), -3);
  EXPECT_EQ(ParseTerm("forward/2/-energy").Evaluate(values), 3);
  EXPECT_EQ(ParseTerm("-forward / energy").Evaluate(values), 6);
  EXPECT_EQ(ParseTerm("1e-1*(forward - 20)/height").Evaluate(values), 8);
  EXPECT_EQ(ParseTerm("forward/2^2/height").Evaluate(values), 30);
  EXPECT_EQ(ParseTerm("1/height").Evaluate(values), 2);
  EXPECT_EQ(ParseTerm("1/height*forward").Evaluate(values), 120);
  EXPECT_EQ(ParseTerm("-2^2*forward").Evaluate(values), -240);
  EXPECT_EQ(ParseTerm("2^-1^2*forward").Evaluate(values), 30);
  EXPECT_EQ(ParseTerm("forward +-2*energy").Evaluate(values), 80);
  EXPECT_EQ(ParseTerm("sum(forward, energy)/height").Evaluate(values), 100);
}

TEST(QueryExpression, EvaluationDoesNotAllocate) {
  const QueryExpression expression = ParseTerm("forward/energy");
  const Numbers values = {60, -10, 1};
  Numbers gradient(3);
  const test::AllocationCount count;
  expression.AddGradient(values, expression.Evaluate(values), gradient);
  EXPECT_EQ(count.since_construction(), 0u);
}

TEST(QueryExpression, UnknownObjectiveIsAnErrorWithTheNearest) {
  EXPECT_EQ(MessageOf("2*forwrad"),
            "require '2*forwrad': column 3: unknown objective 'forwrad'; did you mean 'forward'?");
  EXPECT_EQ(MessageOf("jump"),
            "require 'jump': column 1: unknown objective 'jump'; known: forward, energy, height");
}

TEST(QueryExpression, OverflowInTheDataIsAnError) {
  EXPECT_EQ(MessageOf("1e307*forward"),
            "require '1e307*forward' is not finite over the ranges of the objectives in the "
            "training data");
}

TEST(QueryExpression, DenominatorThatCanBeZeroIsAnError) {
  EXPECT_EQ(
      MessageOf("energy/forward"),
      "require 'energy/forward' has a denominator that can be zero: it goes from -100 to 7000 "
      "over the ranges of the objectives in the training data");
  // forward - 2 energy ranges from -100 + 40 = -60 to 7000 + 8000.
  EXPECT_NE(MessageOf("height/(forward - 2*energy)").find("from -60 to 15000"), std::string::npos);
  EXPECT_EQ(MessageOf("height/(forward - 2*energy + 61)"), "");
  EXPECT_NE(MessageOf("height/(forward - 2*energy + 60)"), "");
}

// Any text is an Error or evaluates to its expression.
RC_GTEST_PROP(QueryExpression, AnyTextIsAnErrorOrItsExpression, ()) {
  const auto pieces =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "forward", "energy", "height", "forward", "energy", "1", "-3", ".5e-3",    "+",
          "-",       "*",      "/",      "/",       "^",      "(", ")",  ",",        "=",
          "<=",      "?",      ":",      "min",     "_pi",    " ", "\"", "\xc3\xa9", "%"}));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  QueryExpression expression;
  if (!test::ErrorOf([&] { expression = ParseTerm(text); }).empty()) return;
  Numbers values = {1234.5, -678.25, 0.625};
  const std::vector<core::Variable> variables = {
      {"forward", &values[0]}, {"energy", &values[1]}, {"height", &values[2]}};
  const double expected = core::Expression(text, variables, "here").Evaluate();
  // Coefficients are exact to 1e-9 of the summed terms.
  RC_ASSERT(std::abs(expression.Evaluate(values) - expected) <= 1e-6 * (1 + std::abs(expected)));
}

// The same with products of few factors, most of which parse.
RC_GTEST_PROP(QueryExpression, AnyProductIsAnErrorOrItsExpression, ()) {
  const auto factor = rc::gen::elementOf(std::vector<std::string>{
      "forward", "energy", "height", "(energy - 1)", "2", "-2", "1e-3", "2^2", "(3*energy)"});
  const auto sign = rc::gen::elementOf(std::vector<std::string>{"*", "/", " / ", "*-", "^"});
  std::string text = *factor;
  const int factors = *rc::gen::inRange(1, 5);
  for (int i = 0; i < factors; ++i) text += *sign + *factor;
  QueryExpression expression;
  if (!test::ErrorOf([&] { expression = ParseTerm(text); }).empty()) return;
  Numbers values = {1234.5, -678.25, 0.625};
  const std::vector<core::Variable> variables = {
      {"forward", &values[0]}, {"energy", &values[1]}, {"height", &values[2]}};
  const double expected = core::Expression(text, variables, "here").Evaluate();
  RC_ASSERT(std::abs(expression.Evaluate(values) - expected) <= 1e-9 * std::abs(expected));
}

}  // namespace
}  // namespace rhumb::steer
