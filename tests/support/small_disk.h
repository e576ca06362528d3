// Disks that cannot be written, for tests.
#pragma once

#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace rhumb::test {

// Makes writing files of 256 KiB or more to `folder` fail. Mounts a tiny disk if this process may,
// else limits the file size.
class SmallDisk {
 public:
  explicit SmallDisk(std::filesystem::path folder) : folder_(std::move(folder)) {
    mounted_ = ::mount("none", folder_.c_str(), "tmpfs", 0, "size=256k") == 0;
    if (mounted_) return;
    // Ignore SIGXFSZ: exceeding the limit then gives an error instead of killing the process.
    former_action_ = ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &former_limit_);
    const rlimit limit{256 << 10, former_limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    if (mounted_) {
      ::umount2(folder_.c_str(), MNT_DETACH);
    } else {
      ::setrlimit(RLIMIT_FSIZE, &former_limit_);
      ::signal(SIGXFSZ, former_action_);
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  std::filesystem::path folder_;
  bool mounted_ = false;
  rlimit former_limit_{};
  void (*former_action_)(int) = SIG_DFL;
};

// Prevents creating and removing files in `folder` during its lifetime. Root ignores permissions,
// so it switches to another user.
class ReadOnlyFolder {
 public:
  explicit ReadOnlyFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::permissions(folder_, std::filesystem::perms(0555));
    if (::getuid() == 0) stepped_down_ = ::seteuid(65534) == 0;
  }
  ~ReadOnlyFolder() {
    if (stepped_down_ && ::seteuid(0) != 0) std::abort();
    std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  }
  ReadOnlyFolder(const ReadOnlyFolder&) = delete;
  ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;

 private:
  std::filesystem::path folder_;
  bool stepped_down_ = false;
};

}  // namespace rhumb::test
