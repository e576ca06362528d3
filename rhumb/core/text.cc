#include "rhumb/core/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace rhumb::core {
namespace {

// Damerau-Levenshtein distance, optimal string alignment: insertions, deletions, replacements and
// swaps of neighbours cost one each.
std::size_t CountEdits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string NearestWord(std::string_view word, std::span<const std::string> known) {
  // More than a third of the letters wrong is a different word, not a slip.
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::size_t fewest = limit + 1;
  std::string nearest;
  for (const std::string& candidate : known) {
    const std::size_t edits = CountEdits(word, candidate);
    if (edits < fewest) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string Suggestion(std::string_view word, std::span<const std::string> known) {
  const std::string nearest = NearestWord(word, known);
  if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  if (known.empty()) return "";
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

std::string OneLine(std::string_view text) {
  constexpr std::size_t kMaxBytes = 400;
  std::string line;
  for (const char c : text) {
    const bool is_blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (!is_blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
    if (line.size() > kMaxBytes) {
      // Not in the middle of a UTF-8 character.
      while ((line.back() & 0xC0) == 0x80) line.pop_back();
      line.pop_back();
      return line + " ...";
    }
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace rhumb::core
