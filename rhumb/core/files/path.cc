#include "rhumb/core/files/path.h"

#include <algorithm>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace fs = std::filesystem;

namespace {

fs::path chosen_folder;  // of SetInstallationFolder

}  // namespace

void CheckGoesDown(std::string_view relative, std::string_view place) {
  const fs::path path(relative);
  const bool has_nul = relative.find('\0') != relative.npos;
  if (relative.empty() || has_nul) Fail("{}: the path is empty or has a NUL in it", place);
  if (path.is_absolute()) {
    Fail("{}: the path '{}' is absolute; write it relative to its folder", place, relative);
  }
  if (std::find(path.begin(), path.end(), "..") != path.end()) {
    Fail("{}: the path '{}' has '..' in it; it must stay inside its folder", place, relative);
  }
}

fs::path ResolveInside(const fs::path& folder, std::string_view relative, std::string_view place) {
  CheckGoesDown(relative, place);
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) Fail("{}: the folder {} cannot be read: {}", place, folder.string(), error.message());
  const fs::path resolved = fs::canonical(root / relative, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    Fail("{}: '{}' does not exist in {}", place, relative, root.string());
  }
  if (error) {
    Fail("{}: '{}' in {} cannot be read: {}", place, relative, root.string(), error.message());
  }
  const auto [root_end, ignored] =
      std::mismatch(root.begin(), root.end(), resolved.begin(), resolved.end());
  if (root_end != root.end()) {
    Fail("{}: '{}' leads through a symbolic link to {}, outside {}", place, relative,
         resolved.string(), root.string());
  }
  return resolved;
}

void CheckListed(const fs::path& folder, const std::error_code& error) {
  if (error && error != std::errc::no_such_file_or_directory) {
    Fail("cannot read the folder {}: {}", folder.string(), error.message());
  }
}

std::filesystem::path InstallationFolder() {
  if (!chosen_folder.empty()) return chosen_folder;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

void SetInstallationFolder(const std::filesystem::path& folder) { chosen_folder = folder; }

}  // namespace rhumb::core
