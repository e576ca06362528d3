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

// Clears a progress bar before the line; the bar is redrawn below it.
class ClearBar : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& /*message*/, const std::tm& /*time*/,
              spdlog::memory_buf_t& out) override {
    if (Progress::bar_is_drawn()) fmt::format_to(std::back_inserter(out), "\r\x1b[K");
  }
  std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<ClearBar>();
  }
};

spdlog::logger MakeLogger() {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<ClearBar>('*').set_pattern("%*%v");
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
  const auto spdlog_level = static_cast<spdlog::level::level_enum>(level);
  const spdlog::string_view_t name = spdlog::level::to_string_view(spdlog_level);
  std::string prefix = "rhumb: ";
  if (level != LogLevel::kInfo) prefix.append(name.data(), name.size()).append(": ");
  const std::string line = MessageLine(prefix, text);
  Logger().log(spdlog_level, spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace rhumb::core
