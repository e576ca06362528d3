// SHA-256, as 64 hexadecimal digits.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rhumb::core {

std::string Sha256(std::string_view bytes);

// Reads the file in pieces; throws Error if it is unreadable.
std::string Sha256OfFile(const std::filesystem::path& path);

}  // namespace rhumb::core
