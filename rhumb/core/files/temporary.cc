#include "rhumb/core/files/temporary.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"

namespace rhumb::core {
namespace fs = std::filesystem;
namespace {

fs::path FolderOf(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

std::string Prefix(const fs::path& final_path) {
  return fmt::format(".{}.tmp-", final_path.filename().string());
}

[[noreturn]] void FailToWrite(const fs::path& path) {
  const int reason = errno;
  Fail("cannot write {}: {}", path.string(), std::strerror(reason));
}

bool Lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

// Returns whether TryMake could have made `name`: the prefix, a process and a count.
bool IsTemporaryName(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  const std::size_t dash = name.find('-');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  return dash != name.npos && is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

// Removes a file, or a folder with its contents. Failures are ignored after a second try: the first
// may have met a moment with too many open files.
void RemoveTree(const fs::path& path) {
  std::error_code error;
  for (int tries = 0; tries < 2; ++tries) {
    fs::remove_all(path, error);
    if (!error) return;
  }
}

const char* DescribeKind(mode_t mode) {
  if (S_ISREG(mode)) return "a file";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISLNK(mode)) return "a symbolic link";
  return S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

void CheckMayReplace(const fs::path& path, bool is_folder) {
  struct stat there {};
  if (::lstat(path.c_str(), &there) != 0) {
    if (errno == ENOENT) return;
    FailToWrite(path);
  }
  if (is_folder ? !S_ISDIR(there.st_mode) : !S_ISREG(there.st_mode)) {
    Fail("cannot write {}: {} is there; choose another path", path.string(),
         DescribeKind(there.st_mode));
  }
  if (there.st_uid != ::geteuid()) {
    Fail("cannot write {}: it belongs to another user; remove it or choose another path",
         path.string());
  }
}

Temporary Temporary::MakeFile(const fs::path& final_path) { return {final_path, false}; }
Temporary Temporary::MakeFolder(const fs::path& final_path) { return {final_path, true}; }

Temporary::Temporary(const fs::path& final_path, bool is_folder) : final_path_(final_path) {
  // "runs/a/" names the folder "runs/a".
  if (!final_path_.has_filename()) final_path_ = final_path_.parent_path();
  if (!final_path_.has_filename())
    Fail("cannot write '{}': it does not name a file", final_path.string());
  if (!is_folder) CheckMayReplace(final_path_, is_folder);
  RemoveStale(final_path_);
  while (!TryMake(is_folder)) {
  }
}

// Returns false if the name is taken, or if another process's cleanup removed the new file.
bool Temporary::TryMake(bool is_folder) {
  static std::atomic<unsigned> count{0};
  path_ = FolderOf(final_path_) / fmt::format("{}{}-{}", Prefix(final_path_), ::getpid(), count++);
  if (!is_folder) {
    descriptor_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  } else if (::mkdir(path_.c_str(), 0777) == 0) {
    descriptor_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor() < 0 && errno == ENOENT) return false;
  }
  if (descriptor() < 0) {
    if (errno == EEXIST) return false;
    FailToWrite(final_path_);
  }
  // Some network file systems lack locks; there nothing counts as stale.
  const bool lost = !Lock(descriptor()) && errno == EWOULDBLOCK;
  struct stat ours {};
  struct stat there {};
  if (!lost && ::fstat(descriptor(), &ours) == 0 && ::stat(path_.c_str(), &there) == 0 &&
      ours.st_ino == there.st_ino) {
    return true;
  }
  descriptor_.Close();
  return false;
}

Temporary::~Temporary() {
  if (!path_.empty()) RemoveTree(path_);
}

void Temporary::MoveToFinal() {
  if (!fs::is_directory(path_)) CheckMayReplace(final_path_, /*is_folder=*/false);
  if (::rename(path_.c_str(), final_path_.c_str()) != 0) FailToWrite(final_path_);
  path_.clear();
  SyncToDisk(FolderOf(final_path_));
}

void Temporary::SwapWithFinal() {
  if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, final_path_.c_str(), RENAME_EXCHANGE) != 0) {
    const int reason = errno;
    Fail("cannot replace {}: {}; remove it or choose another path", final_path_.string(),
         std::strerror(reason));
  }
  SyncToDisk(FolderOf(final_path_));
  // path_ now holds the replaced folder.
  RemoveTree(path_);
  path_.clear();
}

// A lock ends with its process, so a file that can be locked has no owner.
void RemoveStale(const fs::path& final_path) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(FolderOf(final_path), ignored)) {
    if (!IsTemporaryName(entry.path().filename().string(), Prefix(final_path))) continue;
    const Descriptor file(
        ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0) continue;
    const bool is_made_here = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
    if (is_made_here && status.st_uid == ::geteuid() && Lock(file.get())) RemoveTree(entry.path());
  }
}

void RemoveFolderAtOnce(const fs::path& folder) {
  if (!fs::exists(folder)) return RemoveStale(folder);
  const Temporary grave = Temporary::MakeFolder(folder);
  fs::rename(folder, grave.path() / "removed");
}

}  // namespace rhumb::core
