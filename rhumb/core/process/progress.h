// Progress of a long job, on stderr.
//
//   terminal:  collect [##########..............]  42%  420/1000  ETA 1m05s  return 3120
//   otherwise: collect: 42%  420/1000  ETA 1m05s  return 3120        (a line every few seconds)
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>

namespace rhumb::core {

struct ProgressOptions {
  bool quiet = false;
  // Units finished by an earlier run. They count as done but do not affect the estimate.
  std::int64_t resumed = 0;
  double seconds_between_lines = 5;
  std::FILE* out = stderr;
  // Width of the terminal; 0 means not a terminal, -1 asks the system.
  int columns = -1;
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

// Draws at once, then on calls of Advance, at most 10 times a second on a terminal. Always draws
// the end. Advance and SetSuffix are thread-safe. The destructor calls Finish.
class Progress {
 public:
  Progress(std::string label, std::int64_t total, ProgressOptions options = {});
  ~Progress();

  void Advance(std::int64_t units = 1);
  // Sets a short text after the numbers, shown from the next draw.
  void SetSuffix(std::string suffix);
  // Draws the last state, with the time taken, and ends the line. Later calls do nothing.
  void Finish();

  std::int64_t done() const { return done_; }

  // Whether an unfinished bar is on the terminal's current line; a log line must clear it first.
  static bool bar_is_drawn();

 private:
  using Clock = std::chrono::steady_clock;
  void Draw(Clock::time_point now, bool last);
  std::string Numbers(double elapsed_s, bool last) const;

  const std::string label_;
  const std::int64_t total_;
  const ProgressOptions options_;
  const int columns_;
  const Clock::duration interval_;
  const Clock::time_point start_;
  std::atomic<std::int64_t> done_;
  std::atomic<Clock::duration> next_draw_;  // since start_
  std::mutex mutex_;                        // guards the output, suffix_ and finished_
  std::string suffix_;
  bool finished_ = false;
};

// "8s", "1m05s", "2h03m".
std::string FormatDuration(double seconds);

}  // namespace rhumb::core
