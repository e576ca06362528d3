// Allows one run at a time in a folder.
#pragma once

#include <filesystem>

#include "rhumb/core/files/descriptor.h"

namespace rhumb::pipeline {

// A lock on a folder, held by this process and all processes it starts afterwards. It is released
// when the last of them ends. So the children of a killed run release their files before the next
// run uses them. Leaves nothing on the disk.
class FolderLock {
 public:
  // Waits, with a log message, while others hold the lock. Throws CommandFailed if interrupted
  // while waiting, and Error if the folder is missing. On file systems without locks, everyone gets
  // it.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  core::Descriptor folder_;
};

}  // namespace rhumb::pipeline
