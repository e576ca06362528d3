// TOML files from elsewhere.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rhumb::core {

// An Error where `text` is not TOML, with its line and column, or has a key of more than 16 parts:
// the parser's tables call themselves for each. `file` says where the text stands.
toml::table ParseToml(std::string_view text, const std::string& file);

// The same of a file. A missing or unreadable one, or more than `max_bytes`, is an Error too.
toml::table ReadToml(const std::filesystem::path& file, std::uint64_t max_bytes);

}  // namespace rhumb::core
