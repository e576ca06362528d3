// Text for messages: suggestions, shortening and safe printing. Finds things by their names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/error.h"

namespace rhumb::core {

// Returns the member of `known` with the fewest edits to `word`, or "" if none is close enough.
std::string NearestWord(std::string_view word, std::span<const std::string> known);

// Returns "; did you mean 'energy'?" if a near word is known, otherwise "; known: a, b, c".
std::string Suggestion(std::string_view word, std::span<const std::string> known);

// The names of some objectives, quantities, ….
template <class Items>
std::vector<std::string> NamesOf(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(item.name);
  return names;
}

// Returns the index of the item called `name`. Throws Error with the complaint and a Suggestion if
// there is none.
template <class Items>
std::size_t FindNamed(const Items& items, std::string_view name, std::string_view complaint) {
  const auto found =
      std::ranges::find_if(items, [&](const auto& item) { return item.name == name; });
  if (found == std::end(items)) Fail("{}{}", complaint, Suggestion(name, NamesOf(items)));
  return static_cast<std::size_t>(found - std::begin(items));
}

// Prepares `text` for a message. Control characters and runs of blanks become one blank, blanks at
// the ends are removed, and a long text is cut.
std::string OneLine(std::string_view text);

// Replaces every control character by a blank, so text from a file cannot control the terminal or
// start a new line.
std::string Printable(std::string_view text);

// Returns `text`, or its beginning and "..." if it exceeds `max_bytes`. The result has at most
// `max_bytes` and cuts no UTF-8 character.
std::string Shorten(std::string_view text, std::size_t max_bytes);

// The same, but the middle is cut out: a message begins with its place and ends with its reason.
std::string ShortenMiddle(std::string_view text, std::size_t max_bytes);

// Returns `prefix` and `text` as one line for a person: Printable, without blanks at the ends of
// `text`, and with the middle cut out if it exceeds kMaxMessageBytes.
std::string MessageLine(std::string_view prefix, std::string_view text);
inline constexpr std::size_t kMaxMessageBytes = 300;

// Returns whether `text` can name a quantity in an expression: ASCII letters, digits and '_', not
// starting with a digit. kNameRule states this in messages.
bool IsName(std::string_view text);
inline constexpr std::string_view kNameRule = "letters, digits and '_', not beginning with a digit";

// Returns whether `name` occurs in `text` as a whole name, not as a part of a longer one.
bool HasWord(std::string_view text, std::string_view name);

// Removes surrounding blanks, tabs and line ends.
std::string_view Trim(std::string_view text);

}  // namespace rhumb::core
