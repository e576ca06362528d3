// Words to the user, on stderr and, where asked for, in a file. stdout is for results.
//
//   rhumb: 7 environments found
//   rhumb: warning: 3 episodes diverged
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace rhumb::core {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };

// What is below `level` is dropped. With `file`, the lines are also appended to it, with their
// times; a file that cannot be opened is an Error. Call it before threads log; until then the level
// is kInfo.
void SetUpLog(LogLevel level, const std::filesystem::path& file = {});

// One line. Thread-safe.
void WriteLog(LogLevel level, std::string_view text);

template <typename... Args>
void LogDebug(fmt::format_string<Args...> format, Args&&... args) {
  WriteLog(LogLevel::kDebug, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void LogInfo(fmt::format_string<Args...> format, Args&&... args) {
  WriteLog(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void LogWarning(fmt::format_string<Args...> format, Args&&... args) {
  WriteLog(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void LogError(fmt::format_string<Args...> format, Args&&... args) {
  WriteLog(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace rhumb::core
