// The words of a query: text -> target, requirement or change, and back. query.h says what they
// are.
#pragma once

#include <string>
#include <string_view>

#include "rhumb/steer/query.h"

namespace rhumb::steer {

// Errors quote the text and say what is expected. The numbers of what is returned are finite, the
// bounds of a requirement may still be the wrong way round.
Target ParseTarget(std::string_view text);
Requirement ParseRequirement(std::string_view text);
Change ParseChange(std::string_view text);

// What is parsed back to the same: "forward = 6000 +- 50", "energy >= -3000", "energy -20%".
std::string TextOf(const Target& target);
std::string TextOf(const Requirement& requirement);
std::string TextOf(const Change& change);
// The change without what it changes: "-20%".
std::string AmountOf(const Change& change);

// In quotation marks, for messages; a long text is cut.
std::string Quote(std::string_view text);
// Without the blanks at both ends.
std::string_view Trim(std::string_view text);

}  // namespace rhumb::steer
