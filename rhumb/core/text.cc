#include "rhumb/core/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
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

bool ContinuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::string NearestWord(std::string_view word, std::span<const std::string> known) {
  // A word with more than a third of its letters wrong is a different word, not a typo.
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

std::string Printable(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters too; UTF-8 writes them as 0xC2 and a byte below 0xA0.
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool is_c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (is_c1) ++i;
    line += is_c1 || byte < ' ' || byte == 0x7F ? ' ' : static_cast<char>(byte);
  }
  return line;
}

std::string OneLine(std::string_view text) {
  constexpr std::size_t kMaxBytes = 400;
  std::string line;
  for (const char c : Printable(text)) {
    if (c != ' ' || !line.ends_with(' ')) line += c;
  }
  return Shorten(Trim(line), kMaxBytes);
}

std::string Shorten(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  constexpr std::string_view kDots = "...";
  std::size_t end = max_bytes - std::min(max_bytes, kDots.size());
  while (end > 0 && ContinuesCharacter(text[end])) --end;
  return std::string(text.substr(0, end)).append(kDots);
}

std::string ShortenMiddle(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end_begin = text.size() - max_bytes / 3;
  while (end_begin < text.size() && ContinuesCharacter(text[end_begin])) ++end_begin;
  const std::string_view end = text.substr(end_begin);
  return Shorten(text, max_bytes - end.size()).append(end);
}

std::string MessageLine(std::string_view prefix, std::string_view text) {
  return ShortenMiddle(std::string(prefix) + Printable(Trim(text)), kMaxMessageBytes);
}

bool IsName(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_word = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
  };
  return !text.empty() && !is_digit(text.front()) && std::all_of(text.begin(), text.end(), is_word);
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool HasWord(std::string_view text, std::string_view name) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) {
      return true;
    }
  }
  return false;
}

}  // namespace rhumb::core
