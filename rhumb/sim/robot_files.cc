#include "rhumb/sim/robot_files.h"

#include <algorithm>
#include <system_error>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/sim/robot_compiler.h"

namespace rhumb::sim {
namespace fs = std::filesystem;

std::string NormalRobotPath(std::string_view path) {
  std::string text(path);
  std::replace(text.begin(), text.end(), '\\', '/');
  const fs::path normal = fs::path(text).lexically_normal();
  if (normal.is_absolute() || normal.begin() == normal.end() || *normal.begin() == "..") return "";
  return normal.string();
}

RobotFiles CollectFiles(const fs::path& folder, std::string_view name, std::string_view place) {
  if (std::error_code error; !fs::is_directory(folder, error)) {
    Fail("{}: the folder {} cannot be read", place, folder.string());
  }
  const fs::path root = fs::canonical(folder);
  RobotFiles files;
  std::uint64_t total = 0;
  // Reads a file when it is first needed; null if the folder lacks it.
  const auto find = [&](const std::string& path) -> const std::string* {
    if (const auto found = files.find(path); found != files.end()) return &found->second;
    std::error_code missing;
    const fs::path file = fs::canonical(root / path, missing);
    if (missing) return nullptr;
    if (std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first != root.end()) {
      Fail("'{}' leads through a symbolic link to {}, which lies outside the robot's folder", path,
           file.string());
    }
    std::string bytes = core::ReadFile(file, kMaxRobotFileBytes);
    total += bytes.size();
    if (total > kMaxRobotBytes) {
      Fail("the robot's files have more than {} bytes together", kMaxRobotBytes);
    }
    return &files.emplace(path, std::move(bytes)).first->second;
  };
  CompileRobot(find, name, place);
  return files;
}

}  // namespace rhumb::sim
