// Reads a query's text word by word and reports errors with their column.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

namespace rhumb::steer {

// Throws "PLACE 'TEXT': column COLUMN: PROBLEM". Columns count characters, from 1.
[[noreturn]] void FailAtColumn(std::string_view place, std::string_view text, std::size_t column,
                               std::string_view problem);

// Every function first skips blanks. The texts must outlive the reader.
class QueryReader {
 public:
  // `place` says where the text comes from ("requirement"). `form` describes the expected syntax;
  // Errors end with it.
  QueryReader(std::string_view place, std::string_view text, std::string_view form)
      : place_(place), text_(text), form_(form) {}

  std::string_view text() const { return text_; }
  std::size_t Offset();  // offset of the next word
  void Rewind(std::size_t offset) { offset_ = offset; }
  char Peek();  // the next character; 0 at the end
  bool IsAt(std::string_view word) { return text_.substr(Offset()).starts_with(word); }
  bool IsAtDigits();  // at a number without a sign

  bool Take(std::string_view word);
  char TakeSign();              // '+' or '-', or 0 if absent
  bool TakePlusMinus();         // "+-" or "±"
  char TakeRelation();          // '<', '>' or '=', optionally followed by '='; 0 if absent
  std::string_view TakeName();  // "" if absent
  // These throw Error if the next word differs. Numbers must be finite.
  void Expect(std::string_view word);
  void ExpectEnd();
  double TakeDigits();
  double TakeNumber();  // digits, optionally signed

  template <class... Args>
  [[noreturn]] void FailAt(std::size_t offset, fmt::format_string<Args...> problem,
                           Args&&... args) const {
    FailInForm(offset, fmt::format(problem, std::forward<Args>(args)...));
  }
  // Throws "expected WHAT, found 'x'" at the next word.
  [[noreturn]] void FailExpecting(std::string_view what);

  std::size_t ColumnOf(std::size_t offset) const;
  std::string_view place() const { return place_; }
  std::string_view form() const { return form_; }

 private:
  [[noreturn]] void FailInForm(std::size_t offset, std::string_view problem) const;
  std::string_view WordAt(std::size_t offset) const;

  std::string_view place_, text_, form_;
  std::size_t offset_ = 0;
};

}  // namespace rhumb::steer
