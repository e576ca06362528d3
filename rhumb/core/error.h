// Two kinds of failure.
//
// The caller's fault (a missing file, a wrong shape, an unknown key) throws Error: one sentence
// with the value, the allowed range and the place. Only cli, serve and python catch it; the
// command then exits with 2. A bug in Rhumb fails a RHUMB_CHECK, which prints to stderr and
// aborts.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace rhumb {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

// Throws Error with the formatted sentence.
template <typename... Args>
[[noreturn]] void Fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

namespace core {
[[noreturn]] void AbortOnBug(const char* condition, const char* file, int line,
                             const std::string& message);
}  // namespace core

}  // namespace rhumb

// Checks an internal invariant. It stays in release builds, because a plausible wrong number costs
// more than a test.
#define RHUMB_CHECK(condition, ...)                                                          \
  do {                                                                                       \
    if (!(condition)) [[unlikely]] {                                                         \
      ::rhumb::core::AbortOnBug(#condition, __FILE__, __LINE__, ::fmt::format(__VA_ARGS__)); \
    }                                                                                        \
  } while (false)
