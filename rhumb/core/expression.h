// A formula over named numbers, parsed once (muParser) and evaluated without allocation.
//
//   "x_velocity - 0.5 * sum_sq_action + alive"
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::core {

// A name that an expression may use, and where its value lives. The storage outlives the
// expression.
struct Variable {
  std::string name;
  double* value;
};

// Bound to its variables' storage; Evaluate reads them in place. Movable, not copyable. Not
// thread-safe: muParser keeps its stack inside, so every environment has its own.
class Expression {
 public:
  // `place` says where the text stands ("mo-ant-v5.toml: rewards.upstream[0]"). A text that does
  // not parse, or a name that is not among `variables`, is an Error that quotes the text, the place
  // and, for a name, the nearest known one.
  Expression(std::string_view text, std::span<const Variable> variables, std::string_view place);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  // May return a non-finite number (a logarithm of a negative one): the caller checks.
  double Evaluate() const;

  const std::string& text() const { return text_; }

  // Names used in `text`, whether known or not, each once, in alphabetical order.
  static std::vector<std::string> NamesIn(std::string_view text, std::string_view place);

 private:
  struct Parser;
  std::string text_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace rhumb::core
