// Reads TOML from untrusted files.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rhumb::core {

// Throws Error if `text` is not TOML, with line and column, or has a key of more than 16 parts.
// The limit exists because the parser's tables recurse. `file` says where the text comes from.
toml::table ParseToml(std::string_view text, const std::string& file);

// Reads a file. Also throws Error if it is missing, unreadable or larger than `max_bytes`.
toml::table ReadToml(const std::filesystem::path& file, std::uint64_t max_bytes);

}  // namespace rhumb::core
