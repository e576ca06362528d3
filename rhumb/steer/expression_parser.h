// Expressions of queries: text -> a linear form of named values, or a ratio of two.
//
//   expression  product {("+" | "-") product}
//   product     factor {("*" | "/") factor}
//   factor      ["+" | "-"] operand ["^" factor]
//   operand     number | name | "(" expression ")" | "sum" "(" expression {"," expression} ")"
//
// One of the factors of a product has no names, and so have both sides of "^". A ratio of names is
// no part of a sum or of parentheses.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/steer/query_reader.h"

namespace rhumb::steer {

constexpr std::size_t kMaxExpressionLength = 1000;  // characters
constexpr int kMaxExpressionDepth = 64;             // parentheses and powers inside each other

// sum_i coefficients[i] * value of name i + constant
struct LinearForm {
  std::vector<double> coefficients;  // missing ones are 0
  double constant = 0;

  bool IsConstant() const;
};

// numerator / denominator, each operation computed as it is written. All numbers are finite.
struct ParsedExpression {
  struct Name {
    std::string text;
    std::size_t column = 0;  // of its first occurrence, from 1
  };
  std::vector<Name> names;  // each once
  LinearForm numerator;
  std::optional<LinearForm> denominator;  // never constant; absent: 1

  bool IsConstant() const;
};

// The longest expression that the reader's text goes on with. What is none is an Error with its
// column.
ParsedExpression TakeExpression(QueryReader& reader);

// The whole text. An expression that is constant is an Error, too.
ParsedExpression ParseExpression(std::string_view text, std::string_view place);

}  // namespace rhumb::steer
