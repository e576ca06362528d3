// Parses query expressions: text -> a linear form of named values, or a ratio of two.
//
//   expression  product {("+" | "-") product}
//   product     factor {("*" | "/") factor}
//   factor      ["+" | "-"] operand ["^" factor]
//   operand     number | name | "(" expression ")" | "sum" "(" expression {"," expression} ")"
//
// One factor of each product must be constant, and so must both sides of "^". A ratio of names
// cannot appear inside a sum or parentheses.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/steer/query/query_reader.h"

namespace rhumb::steer {

constexpr std::size_t kMaxExpressionLength = 1000;  // characters
constexpr int kMaxExpressionDepth = 64;             // nesting of parentheses and powers

// sum_i coefficients[i] * value of name i + constant
struct LinearForm {
  std::vector<double> coefficients;  // missing entries are 0
  double constant = 0;

  bool IsConstant() const;
};

// numerator / denominator. Operations are evaluated in the order written. All numbers are finite.
struct ParsedExpression {
  struct Name {
    std::string text;
    std::size_t column = 0;  // first occurrence, counted from 1
  };
  std::vector<Name> names;  // without duplicates
  LinearForm numerator;
  std::optional<LinearForm> denominator;  // never constant; absent means 1

  bool IsConstant() const;
};

// Takes the longest expression at the reader's position. Throws Error with the column if there is
// none.
ParsedExpression TakeExpression(QueryReader& reader);

// Parses the whole text. Also throws Error if the expression is constant.
ParsedExpression ParseExpression(std::string_view text, std::string_view place);

}  // namespace rhumb::steer
