// Whole files, read within a limit and written so that a reader sees the old or the new one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rhumb::core {

// All bytes of a regular file. A missing or unreadable file, a folder, or more than `max_bytes` is
// an Error; nothing is allocated before the size is known.
std::string ReadFile(const std::filesystem::path& path, std::uint64_t max_bytes);

// Writes a hidden sibling, syncs it, renames it to `path` and syncs the folder. On an Error the
// file that stood at `path` is untouched and no sibling is left. Symbolic links are followed, and a
// device or a pipe is written to, never replaced.
void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// Makes the contents of a file, or the entries of a folder, survive a power cut.
void SyncToDisk(const std::filesystem::path& path);

}  // namespace rhumb::core
