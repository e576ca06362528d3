#include "rhumb/core/files/toml_file.h"

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"

namespace rhumb::core {
namespace {

constexpr int kMaxKeyParts = 16;

// Returns the position after the string that opens at `begin`: "…", '…', or either in triple
// quotes.
std::size_t SkipString(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool is_long = text.substr(begin).starts_with(std::string(3, quote));
  const std::string_view end = text.substr(begin, is_long ? 3 : 1);
  for (std::size_t i = begin + end.size(); i < text.size(); ++i) {
    if (text.substr(i).starts_with(end)) {
      std::size_t behind = i + end.size();
      // A triple-quoted string may end in one or two quotes of its own.
      const std::size_t last = is_long ? std::min(behind + 2, text.size()) : behind;
      while (behind < last && text[behind] == quote) ++behind;
      return behind;
    }
    if (quote == '"' && text[i] == '\\') ++i;
    // The parser rejects a line end in a short string.
    if (!is_long && text[i] == '\n') return i;
  }
  return text.size();
}

// Rejects keys such as a.a.a… by counting dots between two characters that end a key.
void CheckKeys(std::string_view text, const std::string& file) {
  int parts = 1, line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = SkipString(text, i);
      for (; i < end; ++i) line += text[i] == '\n' ? 1 : 0;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '\n') ++line;
    if (std::string_view("\n,=[]{}").find(c) != std::string_view::npos) parts = 1;
    if (c == '.' && ++parts > kMaxKeyParts) {
      Fail("{}:{}: keys of more than {} parts are not read", file, line, kMaxKeyParts);
    }
    ++i;
  }
}

}  // namespace

toml::table ParseToml(std::string_view text, const std::string& file) {
  CheckKeys(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const toml::source_position where = error.source().begin;
    Fail("{}:{}:{}: not valid TOML: {}", file, where.line, where.column, error.description());
  }
}

toml::table ReadToml(const std::filesystem::path& file, std::uint64_t max_bytes) {
  return ParseToml(ReadFile(file, max_bytes), file.string());
}

}  // namespace rhumb::core
