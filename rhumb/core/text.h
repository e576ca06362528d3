// Words in messages, and texts from files in them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rhumb::core {

// The member of `known` with the fewest edits to `word`, or "" where none is near enough to
// suggest.
std::string NearestWord(std::string_view word, std::span<const std::string> known);

// "; did you mean 'energy'?" where a near word is known, else "; known: a, b, c".
std::string Suggestion(std::string_view word, std::span<const std::string> known);

// `text` as part of a message: control characters and runs of blanks become one blank, blanks at
// the ends go, and a long text is cut.
std::string OneLine(std::string_view text);

// `text` with a blank for every control character, so that a text from a file cannot drive the
// terminal or begin a line of its own.
std::string Printable(std::string_view text);

// `text`, or where it is longer than `max_bytes`, its beginning and "...": at most `max_bytes` in
// all, and no UTF-8 character is cut.
std::string Shorten(std::string_view text, std::size_t max_bytes);

// Whether `text` can name a quantity in an expression: ASCII letters, digits and '_', not beginning
// with a digit. kNameRule says so in messages.
bool IsName(std::string_view text);
inline constexpr std::string_view kNameRule = "letters, digits and '_', not beginning with a digit";

// Without the blanks, tabs and line ends around it.
std::string_view Trim(std::string_view text);

}  // namespace rhumb::core
