#include "rhumb/core/nesting.h"

#include <algorithm>
#include <vector>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace {

void CheckDepth(int depth, std::string_view text, std::size_t offset, std::string_view place) {
  if (depth <= kMaxNesting) return;
  const std::string_view before = text.substr(0, offset);
  Fail("{}: line {} nests more than {} levels deep", place,
       1 + std::count(before.begin(), before.end(), '\n'), kMaxNesting);
}

// The offset after a string that ends with `quote` and begins before `begin`.
std::size_t EndOfString(std::string_view text, std::size_t begin, std::string_view quote,
                        bool has_escapes) {
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (has_escapes && text[i] == '\\') {
      ++i;
    } else if (text.substr(i).starts_with(quote)) {
      return i + quote.size();
    }
  }
  return text.size();
}

}  // namespace

void CheckJsonNesting(std::string_view text, std::string_view place) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        i = EndOfString(text, i + 1, "\"", true) - 1;
        break;
      case '[':
      case '{':
        CheckDepth(++depth, text, i, place);
        break;
      case ']':
      case '}':
        --depth;
        break;
      default:
        break;
    }
  }
}

void CheckTomlNesting(std::string_view text, std::string_view place) {
  std::vector<int> open;  // by bracket: the levels that it adds, those of its key among them
  int depth = 0;          // their sum
  int dots = 0;           // in the key that is being read
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      const bool is_long = text.substr(i).starts_with(c == '"' ? "\"\"\"" : "'''");
      const std::string_view quote = text.substr(i, is_long ? 3 : 1);
      i = EndOfString(text, i + quote.size(), quote, c == '"') - 1;
    } else if (c == '.') {
      CheckDepth(depth + ++dots, text, i, place);
    } else if (c == '[' || c == '{') {
      open.push_back(1 + dots);
      depth += open.back();
      dots = 0;
      CheckDepth(depth, text, i, place);
    } else if (c == ']' || c == '}' || c == ',' || c == '\n') {
      dots = 0;
      if ((c == ']' || c == '}') && !open.empty()) {
        depth -= open.back();
        open.pop_back();
      }
    }
  }
}

}  // namespace rhumb::core
