// Refuses JSON and TOML texts that nest too deeply. Copying, writing and destroying a document
// recurse once per level, so a file from elsewhere could otherwise overflow the stack.
#pragma once

#include <string_view>

namespace rhumb::core {

constexpr int kMaxNesting = 64;  // levels of lists, objects and dotted keys

// Throws an Error with the place and the line where the text goes deeper than kMaxNesting. The text
// need not be valid. A TOML table's header and the keys below it are counted apart.
void CheckJsonNesting(std::string_view text, std::string_view place);
void CheckTomlNesting(std::string_view text, std::string_view place);

}  // namespace rhumb::core
