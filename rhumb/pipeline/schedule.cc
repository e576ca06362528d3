#include "rhumb/pipeline/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/process/progress.h"

namespace rhumb::pipeline {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

enum class State { kWaiting, kRunning, kDone, kFailed };

class Schedule {
 public:
  Schedule(const std::vector<Stage>& stages, fs::path folder, fs::path program, int jobs)
      : stages_(stages),
        folder_(std::move(folder)),
        program_(std::move(program)),
        jobs_(jobs),
        states_(stages.size(), State::kWaiting) {
    for (std::size_t i = 0; i < stages.size(); ++i) makers_[stages[i].output] = i;
  }

  std::vector<std::string> Run() {
    std::unique_lock lock(mutex_);
    while (true) {
      if (!failure_) StartWhatIsReady();
      if (running_ == 0) break;
      ended_.wait(lock);
    }
    if (failure_) std::rethrow_exception(failure_);
    const auto left = std::find(states_.begin(), states_.end(), State::kWaiting);
    if (left == states_.end()) return made_;
    RHUMB_CHECK(core::WasInterrupted(), "{} waits for an input that no earlier stage makes",
                OutputAt(left));
    core::FailInterrupted("interrupted before {}; the same command continues from there",
                          OutputAt(left));
  }

 private:
  // The functions below require the mutex. One pass is enough, since a stage's inputs come before
  // it.
  void StartWhatIsReady() {
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      if (running_ == jobs_ || core::WasInterrupted()) return;
      if (states_[i] != State::kWaiting || !IsReady(stages_[i])) continue;
      if (IsUpToDate(stages_[i], folder_)) {
        RemoveLeftovers(stages_[i], folder_);
        states_[i] = State::kDone;
        continue;
      }
      states_[i] = State::kRunning;
      ++running_;
      core::LogInfo("{} begins; {}", stages_[i].output, Left());
      threads_.emplace_back([this, i] { RunOne(i); });
    }
  }

  bool IsReady(const Stage& stage) const {
    return std::all_of(stage.inputs.begin(), stage.inputs.end(), [&](const std::string& input) {
      const auto maker = makers_.find(input);
      return maker == makers_.end() || states_[maker->second] == State::kDone;
    });
  }

  std::string Left() const {
    const auto done = std::count(states_.begin(), states_.end(), State::kDone);
    return fmt::format("{} of {} stages left", stages_.size() - static_cast<std::size_t>(done),
                       stages_.size());
  }

  const std::string& OutputAt(std::vector<State>::const_iterator state) const {
    return stages_[static_cast<std::size_t>(state - states_.begin())].output;
  }

  // Runs in its own thread, without the mutex.
  void RunOne(std::size_t i) {
    const auto start = Clock::now();
    std::exception_ptr failure;
    try {
      RunStage(stages_[i], folder_, program_, jobs_ == 1 ? Voice::kAloud : Voice::kKept);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    --running_;
    states_[i] = failure ? State::kFailed : State::kDone;
    if (!failure) {
      made_.push_back(stages_[i].output);
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      core::LogInfo("{} took {}; {}", stages_[i].output, core::FormatDuration(seconds), Left());
    } else if (!failure_) {
      failure_ = failure;
      if (running_ > 0 && !core::WasInterrupted()) {
        core::LogWarning("{} failed; waiting for the {} still running", stages_[i].output,
                         running_);
      }
    }
    ended_.notify_one();
  }

  const std::vector<Stage>& stages_;
  const fs::path folder_, program_;
  const int jobs_;
  std::map<std::string, std::size_t> makers_;  // output -> stage

  std::mutex mutex_;  // guards the members below
  std::condition_variable ended_;
  std::vector<State> states_;
  int running_ = 0;
  std::vector<std::string> made_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // last, so they are joined before the rest is destroyed
};

}  // namespace

std::vector<std::string> RunStages(const std::vector<Stage>& stages, const fs::path& folder,
                                   const fs::path& program, int jobs) {
  return Schedule(stages, folder, program, jobs).Run();
}

}  // namespace rhumb::pipeline
