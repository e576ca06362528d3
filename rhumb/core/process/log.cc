#include "rhumb/core/process/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>
#include <string>

#include "rhumb/core/process/progress.h"
#include "rhumb/core/text.h"

namespace rhumb::core {
namespace {

// Writes "rhumb: ", and the level unless it is info. Clears a progress bar first; the bar is
// redrawn below the line.
class Prefix : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& out) override {
    fmt::format_to(std::back_inserter(out),
                   "{}rhumb: ", Progress::bar_is_drawn() ? "\r\x1b[K" : "");
    if (message.level == spdlog::level::info) return;
    const spdlog::string_view_t level = spdlog::level::to_string_view(message.level);
    fmt::format_to(std::back_inserter(out), "{}: ", std::string_view(level.data(), level.size()));
  }
  std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<Prefix>();
  }
};

spdlog::logger MakeLogger() {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<Prefix>('*').set_pattern("%*%v");
  spdlog::logger logger("rhumb", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger.set_formatter(std::move(formatter));
  return logger;
}

spdlog::logger& Logger() {
  static spdlog::logger logger = MakeLogger();
  return logger;
}

}  // namespace

void SetLogLevel(LogLevel level) {
  Logger().set_level(static_cast<spdlog::level::level_enum>(level));
}

LogLevel CurrentLogLevel() { return static_cast<LogLevel>(Logger().level()); }

void WriteLog(LogLevel level, std::string_view text) {
  const std::string line = Printable(text);
  Logger().log(static_cast<spdlog::level::level_enum>(level),
               spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace rhumb::core
