#include "rhumb/sim/robot_files.h"

#include <algorithm>
#include <system_error>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/sim/robot_compiler.h"

namespace rhumb::sim {
namespace {

namespace fs = std::filesystem;

// Reads a robot's files on demand and keeps them.
class FolderReader {
 public:
  explicit FolderReader(const fs::path& folder) : folder_(fs::canonical(folder)) {}

  // Null where the folder has no such file.
  const std::string* Find(const std::string& path) {
    if (const auto found = files_.find(path); found != files_.end()) return &found->second;
    std::error_code missing;
    const fs::path file = fs::canonical(folder_ / path, missing);
    if (missing) return nullptr;
    const auto [end, ignored] =
        std::mismatch(folder_.begin(), folder_.end(), file.begin(), file.end());
    if (end != folder_.end()) {
      Fail("'{}' leads through a symbolic link to {}, which lies outside the robot's folder", path,
           file.string());
    }
    std::string bytes = core::ReadFile(file, kMaxRobotFileBytes);
    total_ += bytes.size();
    if (total_ > kMaxRobotBytes) {
      Fail("the robot's files have more than {} bytes together", kMaxRobotBytes);
    }
    return &files_.emplace(path, std::move(bytes)).first->second;
  }

  RobotFiles& files() { return files_; }

 private:
  const fs::path folder_;
  RobotFiles files_;
  std::uint64_t total_ = 0;
};

}  // namespace

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
  FolderReader reader(folder);
  CompileRobot([&](const std::string& path) { return reader.Find(path); }, name, place);
  return std::move(reader.files());
}

}  // namespace rhumb::sim
