// Reads whole files up to a size limit, writes them atomically, copies them, and makes folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "rhumb/core/error.h"

namespace rhumb::core {

// A file that is there, or may be, but that the machine could not open, read or write: too many
// open files, no permission, a failing disk. It says nothing about the file's contents.
class FileError : public Error {
 public:
  using Error::Error;
};

// Returns all bytes of a regular file. Throws FileError, and Error for a missing file, a folder or
// more than `max_bytes`. Checks the size before it allocates.
std::string ReadFile(const std::filesystem::path& path, std::uint64_t max_bytes);

// Writes a hidden sibling, syncs it, renames it to `path` and syncs the folder. On Error the
// existing file is untouched and the sibling is removed. Replaces only a regular file of this user.
void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// Writes to an open file; `path` names it in messages.
void WriteAll(int descriptor, std::string_view bytes, const std::filesystem::path& path);

// Copies a file to a path where nothing is yet. On Error the copy may be there in part.
void CopyFile(const std::filesystem::path& from, const std::filesystem::path& to);

// Makes the folder and its parents unless they exist.
void MakeFolder(const std::filesystem::path& folder);

// Makes a file's contents, or a folder's entries, survive a power cut.
void SyncToDisk(const std::filesystem::path& path);

}  // namespace rhumb::core
