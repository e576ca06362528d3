#include "rhumb/pipeline/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "rhumb/core/error.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"

namespace rhumb::pipeline {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(20);

bool IsTaken(const core::Descriptor& folder) {
  return ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR);
}

}  // namespace

// Opened without O_CLOEXEC: the lock belongs to the open file, which children inherit.
FolderLock::FolderLock(const std::filesystem::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY)) {
  if (folder_.get() < 0) Fail("cannot open {}: {}", folder.string(), std::strerror(errno));
  if (!IsTaken(folder_)) return;
  core::LogInfo("another run is using {}; waiting for it to end", folder.string());
  while (IsTaken(folder_)) {
    if (core::WasInterrupted()) {
      core::FailInterrupted("interrupted while waiting for another run in {}", folder.string());
    }
    std::this_thread::sleep_for(kPollInterval);
  }
}

}  // namespace rhumb::pipeline
