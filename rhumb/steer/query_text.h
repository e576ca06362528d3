// Queries as text: their terms written out, and quotes of them in messages.
#pragma once

#include <string>
#include <string_view>

#include "rhumb/steer/query.h"

namespace rhumb::steer {

// What query_parser.h reads back to the same: "forward = 6000 +- 50", "energy >= -3000",
// "energy -20%".
std::string TextOf(const Target& target);
std::string TextOf(const Requirement& requirement);
std::string TextOf(const Change& change);
// The change without what it changes: "-20%".
std::string AmountOf(const Change& change);

// In quotation marks, for messages. A long text is cut, and control characters are written as
// "\x1b", so that it stays on its line.
std::string Quote(std::string_view text);

}  // namespace rhumb::steer
