// A hidden file or folder, beside the path that it will move to.
//
//   Temporary::MakeFolder("runs/a")  ->  runs/.a.tmp-4711-0  ->  MoveToFinal()  ->  runs/a
#pragma once

#include <filesystem>

#include "rhumb/core/files/descriptor.h"

namespace rhumb::core {

// Owns its file or folder; the destructor removes it unless it was moved to the final path. It
// holds a lock while it lives. Making one removes what killed processes of the same user left for
// the same path: names as above that nobody locks, also of other machines on the same disk. Not
// thread-safe; several for one path may coexist.
class Temporary {
 public:
  // Throws Error unless the parent folder exists and is writable, and for a file also if it may not
  // replace what is at `final_path`.
  static Temporary MakeFile(const std::filesystem::path& final_path);
  static Temporary MakeFolder(const std::filesystem::path& final_path);
  ~Temporary();

  // Renames it. A file replaces a file; a folder replaces only an empty folder.
  void MoveToFinal();
  // Atomically swaps this folder with the one at the final path, then removes the old one.
  void SwapWithFinal();

  // Empty after the move.
  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& final_path() const { return final_path_; }
  // Open for writing if it is a file.
  int descriptor() const { return descriptor_.get(); }

 private:
  Temporary(const std::filesystem::path& final_path, bool is_folder);
  bool TryMake(bool is_folder);

  std::filesystem::path final_path_;
  std::filesystem::path path_;
  Descriptor descriptor_;  // holds the lock
};

// Throws Error unless nothing is at `path`, or a regular file (a folder) of this user. Links,
// devices, pipes and sockets are never replaced, nor are they followed or written to.
void CheckMayReplace(const std::filesystem::path& path, bool is_folder);

// Removes what killed processes of the same user left for `final_path`, as making a Temporary does.
// Failures are ignored; at worst a stale file stays.
void RemoveStale(const std::filesystem::path& final_path);

// Removes a folder with its contents. If killed midway, it leaves no partial folder under that
// name, and the next call removes the rest, whether or not the folder exists.
void RemoveFolderAtOnce(const std::filesystem::path& folder);

}  // namespace rhumb::core
