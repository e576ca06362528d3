// Allows one run at a time in a folder.
#pragma once

#include <filesystem>
#include <string>

#include "rhumb/core/files/descriptor.h"

namespace rhumb::pipeline {

// Whether a run wants the folder for itself, or shares it with others that do not.
enum class Sharing { kAlone, kWithOthers };

// A lock on a folder, held by this process and all processes it starts afterwards. It is released
// when the last of them ends. So the children of a killed run release their files before the next
// run uses them. Leaves nothing on the disk.
class FolderLock {
 public:
  // Waits, with a log message, while others hold the lock. Throws CommandFailed if interrupted
  // while waiting, and Error if the folder is missing. On file systems without locks, everyone gets
  // it.
  explicit FolderLock(const std::filesystem::path& folder, Sharing sharing = Sharing::kAlone);

 private:
  core::Descriptor folder_;
};

// The right to make one output of a folder, for runs that share the folder. Held and released like
// FolderLock. The lock is on one byte of `file`, which must be writable; its contents do not
// change.
class OutputLock {
 public:
  OutputLock(const std::filesystem::path& file, const std::string& output);

 private:
  core::Descriptor file_;
};

}  // namespace rhumb::pipeline
