// Reads a query's text word by word, and points at the column where it goes wrong.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace rhumb::steer {

// Throws "PLACE 'TEXT': column COLUMN: PROBLEM". Columns count characters, from 1.
[[noreturn]] void FailAtColumn(std::string_view place, std::string_view text, std::size_t column,
                               std::string_view problem);

// Every function skips the blanks before the word that it looks at. The texts outlive the reader.
class QueryReader {
 public:
  // `place` says where the text stands ("requirement"), `form` what is expected of it; Errors end
  // with it.
  QueryReader(std::string_view place, std::string_view text, std::string_view form)
      : place_(place), text_(text), form_(form) {}

  std::string_view text() const { return text_; }
  std::size_t Offset();  // of the next word
  void Rewind(std::size_t offset) { offset_ = offset; }
  char Peek();  // the next character; 0 at the end
  bool IsAt(std::string_view word) { return text_.substr(Offset()).starts_with(word); }
  bool IsAtDigits();  // a number without a sign

  bool Take(std::string_view word);
  char TakeSign();              // '+' or '-'; 0 where there is none
  bool TakePlusMinus();         // "+-" or "±"
  char TakeRelation();          // '<', '>' or '=', with or without a '=' after it; 0: none
  std::string_view TakeName();  // "" where there is none
  // These throw where the word is another one. A number is finite.
  void Expect(std::string_view word);
  void ExpectEnd();
  double TakeDigits();
  double TakeNumber();  // digits, with or without a sign

  template <class... Args>
  [[noreturn]] void FailAt(std::size_t offset, fmt::format_string<Args...> problem,
                           Args&&... args) const {
    FailInForm(offset, fmt::format(problem, std::forward<Args>(args)...));
  }
  // "expected WHAT, found 'x'", at the next word.
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
