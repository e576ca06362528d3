#include "rhumb/pipeline/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "rhumb/core/error.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/function_ref.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"

namespace rhumb::pipeline {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(20);

// Waits until `is_taken` is false. It tries to take the lock and tells whether others hold it.
void WaitFor(const std::string& what, core::FunctionRef<bool()> is_taken) {
  if (!is_taken()) return;
  core::LogInfo("another run is using {}; waiting for it to end", what);
  while (is_taken()) {
    if (core::WasInterrupted()) {
      core::FailInterrupted("interrupted while waiting for another run in {}", what);
    }
    std::this_thread::sleep_for(kPollInterval);
  }
}

core::Descriptor Open(const std::filesystem::path& path, int flags) {
  core::Descriptor opened(::open(path.c_str(), flags));
  if (opened.get() < 0) Fail("cannot open {}: {}", path.string(), std::strerror(errno));
  return opened;
}

bool IsTakenError() {
  return errno == EWOULDBLOCK || errno == EAGAIN || errno == EACCES || errno == EINTR;
}

// A byte of a file far beyond its end, by the name. Two names share one by an unlikely accident,
// which costs only time.
off_t ByteOf(const std::string& name) {
  const std::string digits = core::Sha256(name).substr(0, 15);
  return static_cast<off_t>(std::stoull(digits, nullptr, 16));
}

}  // namespace

// Both are opened without O_CLOEXEC: the lock belongs to the open file, which children inherit.
FolderLock::FolderLock(const std::filesystem::path& folder, Sharing sharing)
    : folder_(Open(folder, O_RDONLY | O_DIRECTORY)) {
  const int kind = sharing == Sharing::kAlone ? LOCK_EX : LOCK_SH;
  WaitFor(folder.string(),
          [&] { return ::flock(folder_.get(), kind | LOCK_NB) != 0 && IsTakenError(); });
}

OutputLock::OutputLock(const std::filesystem::path& file, const std::string& output)
    : file_(Open(file, O_RDWR)) {
  struct flock byte = {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = ByteOf(output);
  byte.l_len = 1;
  WaitFor(fmt::format("{} in {}", output, file.parent_path().string()),
          [&] { return ::fcntl(file_.get(), F_OFD_SETLK, &byte) != 0 && IsTakenError(); });
}

}  // namespace rhumb::pipeline
