// What the fuzz targets share. A target hands the fuzzer's bytes to one reader of untrusted files.
// rhumb::Error is the only exception that a reader may throw; any other ends the target, and so
// does whatever the sanitizers find.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "rhumb/core/error.h"

// libFuzzer calls it for each input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

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

// Runs `read`, which may refuse its input. Returns whether it did not.
template <class Reader>
bool Accepts(Reader read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    RHUMB_CHECK(*error.what() != '\0', "an Error without a message");
    return false;
  }
}

}  // namespace rhumb::fuzz
