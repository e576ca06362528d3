// Words for messages.
#pragma once

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

}  // namespace rhumb::core
