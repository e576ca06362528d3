#include "rhumb/steer/quantity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "rhumb/core/expression.h"
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

Quantity Parse(const std::string& text) { return Quantity::Parse(text, Cheetah(), "--require"); }

std::string MessageOf(const std::string& text) {
  return test::ErrorOf([&] { Parse(text); });
}

using Numbers = std::vector<double>;

TEST(Quantity, ObjectiveIsItself) {
  const Quantity quantity = Parse(" energy ");
  EXPECT_EQ(quantity.text, "energy");
  EXPECT_EQ(quantity.numerator, (Numbers{0, 1, 0}));
  EXPECT_EQ(quantity.numerator_constant, 0);
  EXPECT_TRUE(quantity.denominator.empty());
  EXPECT_EQ(quantity.Evaluate(Numbers{1, 2, 3}), 2);
}

TEST(Quantity, LinearCombinationHasTheCoefficientsAsWritten) {
  const Quantity quantity = Parse("0.1*forward - (energy - 7)/4 + 3*(height + 1)");
  EXPECT_EQ(quantity.numerator[0], 0.1);
  EXPECT_EQ(quantity.numerator[1], -0.25);
  EXPECT_EQ(quantity.numerator[2], 3);
  EXPECT_EQ(quantity.numerator_constant, 4.75);
  EXPECT_TRUE(quantity.denominator.empty());
  Numbers gradient = {1, 1, 1};
  quantity.AddGradient(Numbers{5, 6, 7}, 2, gradient);
  EXPECT_EQ(gradient, (Numbers{1.2, 0.5, 7}));
}

TEST(Quantity, RatioHasItsValueAndGradient) {
  const Quantity quantity = Parse("forward/(energy - 10)");
  // The denominator is positive where energy is negative, as in the data.
  EXPECT_EQ(quantity.numerator, (Numbers{-1, 0, 0}));
  EXPECT_EQ(quantity.denominator, (Numbers{0, -1, 0}));
  EXPECT_EQ(quantity.denominator_constant, 10);
  EXPECT_TRUE(std::isnan(quantity.Evaluate(Numbers{60, 11, 1})));
  const Numbers values = {60, -10, 1};
  EXPECT_EQ(quantity.Evaluate(values), -3);
  // d/dforward = 1/-20; d/denergy = -60/400.
  Numbers gradient = {0, 1, 0};
  quantity.AddGradient(values, 2, gradient);
  EXPECT_EQ(gradient, (Numbers{-0.1, 1 - 0.3, 0}));
}

TEST(Quantity, ProductsAndQuotientsAreReadFromTheLeft) {
  const Numbers values = {60, -10, 0.5};
  EXPECT_EQ(Parse("2*forward/energy").Evaluate(values), -12);
  EXPECT_EQ(Parse("forward/energy*2").Evaluate(values), -12);
  EXPECT_EQ(Parse("forward/energy/2").Evaluate(values), -3);
  EXPECT_EQ(Parse("forward/2/-energy").Evaluate(values), 3);
  EXPECT_EQ(Parse("-forward / energy").Evaluate(values), 6);
  EXPECT_EQ(Parse("1e-1*(forward - 20)/height").Evaluate(values), 8);
  EXPECT_EQ(Parse("forward/2^2/height").Evaluate(values), 30);
  EXPECT_EQ(Parse("1/height").Evaluate(values), 2);
  EXPECT_EQ(Parse("sum(forward, energy)/height").Evaluate(values), 100);
}

TEST(Quantity, EvaluationDoesNotAllocate) {
  const Quantity quantity = Parse("forward/energy");
  const Numbers values = {60, -10, 1};
  Numbers gradient(3);
  const test::AllocationCount count;
  quantity.AddGradient(values, quantity.Evaluate(values), gradient);
  EXPECT_EQ(count.since_construction(), 0u);
}

TEST(Quantity, UnknownObjectiveIsAnErrorWithTheNearest) {
  EXPECT_EQ(MessageOf("2*forwrad"),
            "--require: unknown objective 'forwrad' in '2*forwrad'; did you mean 'forward'?");
  EXPECT_EQ(MessageOf("jump"),
            "--require: unknown objective 'jump' in 'jump'; known: forward, energy, height");
}

TEST(Quantity, TextThatDoesNotParseIsAnError) {
  EXPECT_EQ(MessageOf("forward +"),
            "--require: 'forward +' does not parse at character 10: Unexpected end of expression");
  EXPECT_NE(MessageOf(""), "");
  EXPECT_NE(MessageOf("forward = 3"), "");
  EXPECT_NE(MessageOf("forward, energy"), "");
  EXPECT_NE(MessageOf("1e999*forward"), "");
}

TEST(Quantity, LongTextIsAnErrorThatIsShort) {
  std::string text = "forward";
  while (text.size() + 8 <= kMaxQuantityLength) text += "+forward";
  EXPECT_EQ(Parse(text).numerator[0], 125);
  while (text.size() < 10000) text += "+forward";
  EXPECT_EQ(MessageOf(text),
            "--require: 'forward+forward+forward+forward+forward+forward+forward+f...' has 10007 "
            "characters, a quantity has at most 1000");
}

TEST(Quantity, WhatIsNeitherLinearNorARatioIsAnError) {
  for (const char* text :
       {"forward^2", "forward*energy", "abs(forward)", "max(forward, 0)", "sqrt(height)",
        "rint(forward)", "forward > 0 ? forward : 0", "forward > 10", "forward/energy + 1",
        "forward*height/energy", "forward/energy/height", "2*(forward/energy)", "1e307*forward",
        "forward/0", "forward + 1/0", "log(-1)*forward"}) {
    EXPECT_NE(MessageOf(text).find("neither linear in the objectives nor a ratio"),
              std::string::npos)
        << text << ": " << MessageOf(text);
  }
}

TEST(Quantity, ConstantIsAnError) {
  for (const char* text : {"3", "forward - forward + 5", "0*energy", "energy/energy",
                           "(2*energy - 4)/(energy - 2)", "0/energy"}) {
    EXPECT_NE(MessageOf(text).find("is a constant"), std::string::npos) << text;
  }
}

TEST(Quantity, DenominatorThatCanBeZeroIsAnError) {
  EXPECT_EQ(MessageOf("energy/forward"),
            "--require: the denominator of 'energy/forward' can be zero: it goes from -100 to 7000 "
            "over the ranges of the objectives in the training data");
  // forward - 2 energy goes from -100 + 40 = -60 to 7000 + 8000.
  EXPECT_NE(MessageOf("height/(forward - 2*energy)").find("from -60 to 15000"), std::string::npos);
  EXPECT_EQ(MessageOf("height/(forward - 2*energy + 61)"), "");
  EXPECT_NE(MessageOf("height/(forward - 2*energy + 60)"), "");
}

// Whatever is asked for, it is an Error or what the expression says.
RC_GTEST_PROP(Quantity, AnyTextIsAnErrorOrItsExpression, ()) {
  const auto pieces =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "forward", "energy", "height", "forward", "energy", "1", "-3", ".5e-3",    "+",
          "-",       "*",      "/",      "/",       "^",      "(", ")",  ",",        "=",
          "<=",      "?",      ":",      "min",     "_pi",    " ", "\"", "\xc3\xa9", "%"}));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  Quantity quantity;
  if (!test::ErrorOf([&] { quantity = Parse(text); }).empty()) return;
  Numbers values = {1234.5, -678.25, 0.625};
  const std::vector<core::Variable> variables = {
      {"forward", &values[0]}, {"energy", &values[1]}, {"height", &values[2]}};
  const double expected = core::Expression(text, variables, "here").Evaluate();
  // Coefficients are known to 1e-9 of the terms that are summed up.
  RC_ASSERT(std::abs(quantity.Evaluate(values) - expected) <= 1e-6 * (1 + std::abs(expected)));
}

// The same with texts that are always products of few factors, most of which parse.
RC_GTEST_PROP(Quantity, AnyProductIsAnErrorOrItsExpression, ()) {
  const auto factor = rc::gen::elementOf(std::vector<std::string>{
      "forward", "energy", "height", "(energy - 1)", "2", "-2", "1e-3", "2^2", "(3*energy)"});
  const auto sign = rc::gen::elementOf(std::vector<std::string>{"*", "/", " / ", "*-", "^"});
  std::string text = *factor;
  const int factors = *rc::gen::inRange(1, 5);
  for (int i = 0; i < factors; ++i) text += *sign + *factor;
  Quantity quantity;
  if (!test::ErrorOf([&] { quantity = Parse(text); }).empty()) return;
  Numbers values = {1234.5, -678.25, 0.625};
  const std::vector<core::Variable> variables = {
      {"forward", &values[0]}, {"energy", &values[1]}, {"height", &values[2]}};
  const double expected = core::Expression(text, variables, "here").Evaluate();
  RC_ASSERT(std::abs(quantity.Evaluate(values) - expected) <= 1e-9 * std::abs(expected));
}

}  // namespace
}  // namespace rhumb::steer
