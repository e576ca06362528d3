#include "rhumb/core/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>

#include "rhumb/core/error.h"
#include "rhumb/core/progress.h"

namespace rhumb::core {
namespace {

// "rhumb: ", with the level where it is not the common one. A progress bar is wiped first; its next
// draw comes below the line.
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

spdlog::level::level_enum SpdlogLevel(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      return spdlog::level::off;
  }
  RHUMB_CHECK(false, "log level {}", static_cast<int>(level));
}

std::unique_ptr<spdlog::logger> MakeLogger(LogLevel level, const std::filesystem::path& file) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<Prefix>('*').set_pattern("%*%v");
  auto to_stderr = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  to_stderr->set_formatter(std::move(formatter));
  auto logger = std::make_unique<spdlog::logger>("rhumb", to_stderr);
  if (!file.empty()) {
    try {
      auto to_file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
      to_file->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l: %v");
      logger->sinks().push_back(to_file);
    } catch (const spdlog::spdlog_ex& error) {
      Fail("cannot write the log {}: {}", file.string(), error.what());
    }
  }
  logger->set_level(SpdlogLevel(level));
  logger->flush_on(spdlog::level::trace);
  return logger;
}

std::unique_ptr<spdlog::logger>& Logger() {
  static std::unique_ptr<spdlog::logger> logger = MakeLogger(LogLevel::kInfo, {});
  return logger;
}

}  // namespace

void SetUpLog(LogLevel level, const std::filesystem::path& file) {
  Logger() = MakeLogger(level, file);
}

void WriteLog(LogLevel level, std::string_view text) {
  Logger()->log(SpdlogLevel(level), spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace rhumb::core
