// Writes query terms as text, and quotes text in messages.
#pragma once

#include <string>
#include <string_view>

#include "rhumb/steer/query/query.h"

namespace rhumb::steer {

// The result parses back to the same term (query_parser.h): "forward = 6000 +- 50", "energy >=
// -3000", "energy -20%".
std::string TextOf(const Target& target);
std::string TextOf(const Requirement& requirement);
std::string TextOf(const Change& change);
// Returns the change without its quantity: "-20%".
std::string AmountOf(const Change& change);

// Adds quotation marks, for messages. Cuts a long text and writes control characters as "\x1b", so
// the message stays on one line.
std::string Quote(std::string_view text);

}  // namespace rhumb::steer
