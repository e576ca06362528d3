#include "rhumb/core/files/file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "rhumb/core/files/descriptor.h"
#include "rhumb/core/files/temporary.h"

namespace rhumb::core {
namespace {

[[noreturn]] void FailWithReason(const char* action, const std::filesystem::path& path) {
  const int reason = errno;
  const std::string message =
      fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(reason));
  if (reason == ENOENT || reason == ENOTDIR) throw Error(message);
  throw FileError(message);
}

}  // namespace

void WriteAll(int descriptor, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) FailWithReason("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string ReadFile(const std::filesystem::path& path, std::uint64_t max_bytes) {
  // Without O_NONBLOCK, a pipe without a writer would block forever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) FailWithReason("read", path);
  if (!S_ISREG(status.st_mode)) Fail("cannot read {}: not a regular file", path.string());
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) {
    Fail("cannot read {}: {} bytes, at most {} are allowed", path.string(), size, max_bytes);
  }
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) FailWithReason("read", path);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes) {
  Temporary file = Temporary::MakeFile(path);
  WriteAll(file.descriptor(), bytes, path);
  if (::fsync(file.descriptor()) != 0) FailWithReason("write", path);
  file.MoveToFinal();
}

// std::filesystem::copy_file says "Input/output error" where the disk is full.
void CopyFile(const std::filesystem::path& from, const std::filesystem::path& to) {
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.get() < 0) FailWithReason("read", from);
  const Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (target.get() < 0) FailWithReason("write", to);
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t got = ::read(source.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) FailWithReason("read", from);
    if (got == 0) return;
    WriteAll(target.get(), {buffer.data(), static_cast<std::size_t>(got)}, to);
  }
}

void MakeFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) Fail("cannot make the folder {}: {}", folder.string(), error.message());
}

void SyncToDisk(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || ::fsync(file.get()) != 0) FailWithReason("sync", path);
}

}  // namespace rhumb::core
