// The page, in memory: the files of one folder, read once. A request can only name what was read,
// so no path leads outside.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace rhumb::serve {

struct PageFile {
  std::string bytes;
  std::string type;      // as Content-Type
  std::string etag;      // quoted
  bool lasting = false;  // its name changes with its bytes
};

// Constant after construction; thread-safe.
class PageFiles {
 public:
  // Reads every file below the folder, at most 16 MiB in all. A missing folder has no files. Throws
  // Error if the folder cannot be read.
  explicit PageFiles(const std::filesystem::path& folder);

  // The file of a path such as "/" or "/assets/page.js"; null if there is none.
  const PageFile* Find(std::string_view path) const;
  bool empty() const { return files_.empty(); }

  // share/rhumb/studio beside the binary.
  static std::filesystem::path InstalledFolder();

 private:
  std::map<std::string, PageFile, std::less<>> files_;
};

}  // namespace rhumb::serve
