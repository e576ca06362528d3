#include "rhumb/core/process/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rhumb::core {
namespace {

std::atomic<int> bars_drawn{0};

int ColumnsOf(const ProgressOptions& options) {
  if (options.columns >= 0) return options.columns;
  const int descriptor = ::fileno(options.out);
  if (::isatty(descriptor) == 0) return 0;
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

// Cuts to `columns` code points, because a wrapped line cannot be redrawn.
std::string CutTo(const std::string& text, int columns) {
  int width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_code_point = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (begins_code_point && ++width > columns) return text.substr(0, i);
  }
  return text;
}

}  // namespace

std::string FormatDuration(double seconds) {
  if (!(seconds < 360000)) return "over 100h";
  const auto whole = static_cast<int>(std::lround(seconds));
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
}

bool Progress::bar_is_drawn() { return bars_drawn > 0; }

Progress::Progress(std::string label, std::int64_t total, ProgressOptions options)
    : label_(std::move(label)),
      total_(total),
      options_(std::move(options)),
      columns_(ColumnsOf(options_)),
      interval_(std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(columns_ > 0 ? 0.1 : options_.seconds_between_lines))),
      start_(options_.now()),
      done_(options_.resumed),
      next_draw_(interval_) {
  if (options_.quiet) return;
  const std::lock_guard lock(mutex_);
  if (columns_ > 0) ++bars_drawn;
  Draw(start_, false);
}

Progress::~Progress() { Finish(); }

void Progress::Advance(std::int64_t units) {
  done_ += units;
  if (options_.quiet) return;
  const Clock::time_point now = options_.now();
  if (now - start_ < next_draw_.load()) return;
  // If another thread is drawing, return to work.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || finished_ || now - start_ < next_draw_.load()) return;
  next_draw_ = now - start_ + interval_;
  Draw(now, false);
}

void Progress::SetSuffix(std::string suffix) {
  const std::lock_guard lock(mutex_);
  suffix_ = std::move(suffix);
}

void Progress::Finish() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(finished_, true) || options_.quiet) return;
  Draw(options_.now(), true);
  if (columns_ > 0) --bars_drawn;
}

std::string Progress::Numbers(double elapsed_s, bool last) const {
  const std::int64_t done = done_;
  const std::int64_t percent = total_ > 0 ? 100 * done / total_ : 100;
  std::string text = fmt::format("{:3}%  {}/{}", percent, done, total_);
  const std::int64_t done_here = done - options_.resumed;
  if (last) {
    text += fmt::format("  in {}", FormatDuration(elapsed_s));
  } else if (done_here > 0) {
    const double seconds_per_unit = elapsed_s / static_cast<double>(done_here);
    const auto left = static_cast<double>(std::max<std::int64_t>(total_ - done, 0));
    text += fmt::format("  ETA {}", FormatDuration(seconds_per_unit * left));
  }
  return suffix_.empty() ? text : text + "  " + suffix_;
}

void Progress::Draw(Clock::time_point now, bool last) {
  const std::string numbers = Numbers(std::chrono::duration<double>(now - start_).count(), last);
  std::string line;
  if (columns_ == 0) {
    line = fmt::format("{}: {}\n", label_, numbers);
  } else {
    constexpr std::int64_t kBar = 24;
    const std::int64_t filled = total_ > 0 ? kBar * std::min(done_.load(), total_) / total_ : kBar;
    const std::string bar =
        fmt::format("{} [{:#>{}}{:.>{}}]{}", label_, "", filled, "", kBar - filled, numbers);
    line = fmt::format("\r{}\x1b[K{}", CutTo(bar, columns_ - 1), last ? "\n" : "");
  }
  std::fwrite(line.data(), 1, line.size(), options_.out);
  std::fflush(options_.out);
}

}  // namespace rhumb::core
