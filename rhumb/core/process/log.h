// Messages to the user, on stderr. stdout is for results.
//
//   rhumb: 7 environments found
//   rhumb: warning: 3 episodes diverged
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace rhumb::core {

// The values match spdlog's levels.
enum class LogLevel { kDebug = 1, kInfo, kWarning, kError };

// Drops messages below `level`; the default is kInfo. Thread-safe.
void SetLogLevel(LogLevel level);
LogLevel CurrentLogLevel();

// Writes `text` as core::MessageLine does: one line, of at most 300 bytes. Thread-safe.
void WriteLog(LogLevel level, std::string_view text);

template <typename... Args>
void LogDebug(fmt::format_string<Args...> format, Args&&... args) {
  if (CurrentLogLevel() > LogLevel::kDebug) return;
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

}  // namespace rhumb::core
