#include "rhumb/steer/query/expression_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

ParsedExpression Parsed(const std::string& text) { return ParseExpression(text, "require"); }

std::string GrammarErrorOf(const std::string& text) {
  return test::ErrorOf([&] { Parsed(text); });
}

TEST(ExpressionParser, TellsNamesAndCoefficientsInTheOrderWritten) {
  const ParsedExpression parsed = Parsed("2*b - (a - 7)/4 + b");
  ASSERT_EQ(parsed.names.size(), 2u);
  EXPECT_EQ(parsed.names[0].text, "b");
  EXPECT_EQ(parsed.names[0].column, 3u);
  EXPECT_EQ(parsed.names[1].text, "a");
  EXPECT_EQ(parsed.names[1].column, 8u);
  EXPECT_EQ(parsed.numerator.coefficients, (std::vector<double>{3, -0.25}));
  EXPECT_EQ(parsed.numerator.constant, 1.75);
  EXPECT_FALSE(parsed.denominator);
  EXPECT_EQ(Parsed("a/(2*b + 1)").denominator->constant, 1);
}

// The relation ends the expression.
TEST(ExpressionParser, TakesTheLongestExpression) {
  QueryReader reader("require", "a + b >= 3", "");
  EXPECT_EQ(TakeExpression(reader).names.size(), 2u);
  EXPECT_EQ(reader.TakeRelation(), '>');
}

TEST(ExpressionParser, TextThatDoesNotParseIsAnErrorWithItsColumn) {
  const auto problem = [](const std::string& text) {
    const std::string message = GrammarErrorOf(text);
    return message.substr(0, message.find(';'));
  };
  EXPECT_EQ(
      GrammarErrorOf("forward +"),
      "require 'forward +': column 10: expected a number, an objective or '(', found the end; "
      "an expression is linear in the objectives or a ratio of two linear forms");
  EXPECT_EQ(problem(""), "require '' names no quantity");
  EXPECT_EQ(problem("forward = 3"), "require 'forward = 3': column 9: expected the end, found '='");
  EXPECT_EQ(problem("forward, energy"),
            "require 'forward, energy': column 8: expected the end, found ','");
  EXPECT_EQ(problem("(forward"), "require '(forward': column 9: expected ')', found the end");
  EXPECT_EQ(problem("2 forward"),
            "require '2 forward': column 3: expected the end, found 'forward'");
  EXPECT_EQ(problem("2*(energy - 30x0)"),
            "require '2*(energy - 30x0)': column 15: expected ')', found 'x0'");
  EXPECT_EQ(
      problem("1e999*forward"),
      "require '1e999*forward': column 1: '1e999' is not a finite number in double precision");
  EXPECT_EQ(problem("forward + nan"),
            "require 'forward + nan': column 11: 'nan' is not a finite number");
  // A letter of two bytes is one column.
  EXPECT_EQ(problem("\xc3\xa9 + 1"),
            "require '\xc3\xa9 + 1': column 1: expected a number, an objective or '(', found "
            "'\xc3\xa9'");
  EXPECT_EQ(problem("forward \xc3\xa9?"),
            "require 'forward \xc3\xa9?': column 9: expected the end, found '\xc3\xa9'");
  EXPECT_EQ(problem("forward\x1b[2J"),
            "require 'forward\\x1b[2J': column 8: expected the end, found '\\x1b'");
}

TEST(ExpressionParser, LongTextIsAnErrorThatIsShort) {
  std::string text = "forward";
  while (text.size() + 8 <= kMaxExpressionLength) text += "+forward";
  EXPECT_EQ(Parsed(text).numerator.coefficients[0], 125);
  while (text.size() < 10000) text += "+forward";
  EXPECT_EQ(GrammarErrorOf(text).substr(0, 124),
            "require 'forward+forward+forward+forward+forward+forward+forward+f...' has 10007 "
            "characters, an expression has at most 1000;");
}

TEST(ExpressionParser, DeepTextIsAnError) {
  const auto nested = [](std::size_t depth, std::string_view open, std::string_view close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += "forward";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(Parsed(nested(kMaxExpressionDepth - 1, "(", ")")).numerator.coefficients[0], 1);
  EXPECT_NE(GrammarErrorOf(nested(kMaxExpressionDepth, "(", ")"))
                .find("column 65: more than 64 parentheses or powers inside each other"),
            std::string::npos);
  for (const char* open : {"(", "-(", "2^", "sum("}) {
    EXPECT_NE(GrammarErrorOf(nested(100'000, open, "")), "") << open;
  }
}

TEST(ExpressionParser, WhatIsNeitherLinearNorARatioIsAnErrorWithItsColumn) {
  const auto expect = [](const std::string& text, const std::string& problem) {
    EXPECT_EQ(GrammarErrorOf(text),
              "require '" + text + "': column " + problem +
                  "; an expression is linear in the objectives or a ratio of two "
                  "linear forms");
  };
  expect("forward^2", "8: a power of an objective");
  expect("2^forward", "2: a power of an objective");
  expect("forward*energy", "8: a product of objectives");
  expect("abs(forward)", "1: 'abs' is not a function of queries");
  expect("2 + max(forward, 0)", "5: 'max' is not a function of queries");
  expect("forward > 10", "9: expected the end, found '>'");
  expect("forward/energy + 1", "16: a ratio is part of a sum");
  expect("1 - forward/energy", "3: a ratio is part of a sum");
  expect("sum(1, forward/energy)", "1: a ratio is part of a sum");
  expect("forward*height/energy", "8: a product of objectives");
  expect("forward/energy*height", "15: a product of objectives");
  expect("forward/energy/height", "15: a ratio is divided by an objective");
  expect("2*(forward/energy)", "3: a ratio stands in parentheses");
  expect("forward/0", "8: a division by zero");
  expect("forward + 1/(2 - 2)", "12: a division by zero");
  expect("1e300*1e300*forward", "6: a coefficient is not finite");
  expect("(-1)^0.5*forward", "5: a coefficient is not finite");
}

TEST(ExpressionParser, ConstantIsAnError) {
  for (const char* text : {"3", "forward - forward + 5", "0*energy", "energy/energy",
                           "(2*energy - 4)/(energy - 2)", "0/energy"}) {
    EXPECT_NE(GrammarErrorOf(text).find("is a constant"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace rhumb::steer
