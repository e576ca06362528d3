// What the fuzz targets share. A target hands the fuzzer's bytes to one reader of untrusted files.
// rhumb::Error is the only exception that a reader may throw; any other ends the target. So do more
// than 64 MB of memory for a file of 64 kB, and whatever the sanitizers find.
#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"
#include "tests/fuzz/heap_meter.h"
#include "tests/fuzz/target.h"

namespace rhumb::fuzz {

inline std::string_view TextOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {}
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  void Set(std::string_view bytes) const {
    const bool is_written =
        ::ftruncate(descriptor_, static_cast<off_t>(bytes.size())) == 0 &&
        ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    RHUMB_CHECK(is_written, "no memory for the input");
  }

 private:
  int descriptor_;
};

// An artefact of one file in memory. Its manifest always fits.
class MemoryArtifact {
 public:
  MemoryArtifact(std::string kind, std::string name)
      : kind_(std::move(kind)), name_(std::move(name)) {
    std::string pattern = std::filesystem::temp_directory_path() / "rhumb-fuzz-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
    std::filesystem::create_symlink(manifest_.path(), path_ / "manifest.json");
    std::filesystem::create_symlink(file_.path(), path_ / name_);
  }
  ~MemoryArtifact() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }
  void Set(std::string_view bytes) const {
    file_.Set(bytes);
    manifest_.Set(nlohmann::json{{"kind", kind_},
                                 {"files", {{name_, {{"bytes", bytes.size()}, {"sha256", ""}}}}}}
                      .dump());
  }

 private:
  std::string kind_, name_;
  std::filesystem::path path_;
  MemoryFile manifest_, file_;
};

// The command would print the message as one line of at most 300 bytes that no terminal obeys.
inline void CheckMessage(std::string_view message) {
  RHUMB_CHECK(!message.empty(), "an Error without a message");
  const std::string line = core::MessageLine("rhumb: error: ", message);
  RHUMB_CHECK(line.size() <= core::kMaxMessageBytes, "a message of {} bytes", line.size());
  const bool is_plain = std::ranges::none_of(
      line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
  RHUMB_CHECK(is_plain, "a message with a control character");
}

// Runs `read`, which may refuse its input. Returns whether it did not.
template <class Reader>
bool Accepts(Reader read) {
  const HeapMeter meter;
  try {
    read();
    return true;
  } catch (const Error& error) {
    CheckMessage(error.what());
    return false;
  }
}

}  // namespace rhumb::fuzz
