// One run at a time in a folder.
#pragma once

#include <filesystem>

namespace rhumb::pipeline {

// A lock on a folder that this process holds together with all that it starts from then on: it is
// free when the last of them has ended. So what a killed run had begun has let go of its files
// before the next run takes them up. Nothing is left on the disk.
class FolderLock {
 public:
  // Waits, and says so, while others hold it; CommandFailed where that wait is interrupted, an
  // Error where there is no such folder. File systems that know no locks give it to everybody.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace rhumb::pipeline
