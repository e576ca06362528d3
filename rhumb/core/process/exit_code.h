// Exit codes of commands.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

namespace rhumb::core {

inline constexpr int kSuccess = 0;
inline constexpr int kOurBug = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kRefused = 3;        // the query is infeasible or refused
inline constexpr int kInterrupted = 130;  // the work is saved

// Thrown by a command to end with a specific code and message.
struct CommandFailed {
  int code;
  std::string message;
};

// Ends the command as interrupted, with the formatted message.
template <typename... Args>
[[noreturn]] void FailInterrupted(fmt::format_string<Args...> format, Args&&... args) {
  throw CommandFailed{kInterrupted, fmt::format(format, std::forward<Args>(args)...)};
}

// The ending for an exception: kBadInput for an Error, and for what the machine could not do
// (memory, threads, files); kOurBug for any other.
CommandFailed EndingOf(const std::exception& problem);

}  // namespace rhumb::core
