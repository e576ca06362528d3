// A formula over named numbers, parsed once (muParser) and evaluated without allocation.
//
//   "x_velocity - 0.5 * sum_sq_action + alive"
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mu {
class Parser;
}

namespace rhumb::core {

// A name usable in an expression, and the address of its value. The storage must outlive the
// expression.
struct Variable {
  std::string name;
  double* value;
};

// Bound to its variables' storage; Evaluate reads them in place. Movable, not copyable. Not
// thread-safe, because muParser keeps its stack inside: every environment has its own.
class Expression {
 public:
  // `place` says where the text comes from ("mo-ant-v5.toml: rewards.upstream[0]"). Throws Error
  // with the text and the place if it does not parse or uses an unknown name. An unknown name also
  // gets the nearest known one.
  Expression(std::string_view text, std::span<const Variable> variables, std::string_view place);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  // May return a non-finite number, for example for the logarithm of a negative one; the caller
  // checks.
  double Evaluate() const;

  const std::string& text() const { return text_; }

  // Returns the distinct names used in `text`, known or not, in alphabetical order.
  static std::vector<std::string> NamesIn(std::string_view text, std::string_view place);

 private:
  std::string text_;
  std::unique_ptr<mu::Parser> parser_;
};

}  // namespace rhumb::core
