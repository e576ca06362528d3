// A hidden file or folder beside the path that it will become.
//
//   Temporary::MakeFolder("runs/a")  ->  runs/.a.tmp-4711-0  ->  MoveToFinal()  ->  runs/a
#pragma once

#include <filesystem>

namespace rhumb::core {

// Owns its file or folder: unless moved to the final path, the destructor removes it. A lock is
// held meanwhile, and making one removes the unlocked ones that killed processes left for the same
// path, on this machine or on another with the same disk. Not thread-safe; several for one path may
// live at once.
class Temporary {
 public:
  // The parent folder must exist; an Error otherwise, and where it is not writable. A file goes to
  // the path behind the symbolic links at `final_path`.
  static Temporary MakeFile(const std::filesystem::path& final_path);
  static Temporary MakeFolder(const std::filesystem::path& final_path);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  // Renames it. A file replaces a file; a folder replaces nothing but an empty folder.
  void MoveToFinal();
  // For folders: swaps it with the one at the final path, in one step, and removes that one.
  void SwapWithFinal();

  // Empty once it has moved.
  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& final_path() const { return final_path_; }
  // Open for writing where it is a file.
  int descriptor() const { return descriptor_; }

 private:
  Temporary(const std::filesystem::path& final_path, bool is_folder);
  bool TryMake(bool is_folder);

  std::filesystem::path final_path_;
  std::filesystem::path path_;
  int descriptor_ = -1;
};

// The path that a file written to `path` goes to: the end of its symbolic links, or itself. An
// Error where a folder, a device or a pipe stands there: a rename would replace it.
std::filesystem::path PathBehindLinks(const std::filesystem::path& path);

// Removes a folder with all that is in it, or nothing: one that is killed meanwhile leaves no
// half of it behind under its name. No folder there is no Error.
void RemoveFolderAtOnce(const std::filesystem::path& folder);

}  // namespace rhumb::core
