#include "rhumb/core/process/thread_pool.h"

#include <limits>
#include <system_error>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace {

// About 50 us: longer than the gap between two loops of a rollout, too short to notice. Spinning
// threads yield instead of pausing. On a busy machine a worker that kept its core would soon be
// preempted with an unfinished task, and the others would wait for it.
constexpr int kSpins = 200;

constexpr std::uint64_t kUnclaimedMask = 0xFFFFFFFF;

thread_local bool inside_task = false;

template <class Condition>
bool SpinUntil(Condition condition) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (condition()) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads < 1) Fail("a pool needs at least 1 thread, not {}", threads);
  try {
    for (int worker = 1; worker < threads; ++worker) {
      workers_.emplace_back([this, worker] { Work(worker); });
    }
  } catch (const std::system_error& error) {
    const std::size_t started = workers_.size() + 1;
    Stop();
    Fail("cannot start {} threads: {} after {}", threads, error.code().message(), started);
  }
}

ThreadPool::~ThreadPool() { Stop(); }

void ThreadPool::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_came_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::ParallelFor(std::int64_t count, Task task) {
  RHUMB_CHECK(!inside_task, "ParallelFor was called from inside a task");
  RHUMB_CHECK(count >= 0 && count <= std::numeric_limits<std::int32_t>::max(),
              "a loop of {} indices", count);
  RHUMB_CHECK(!busy_.exchange(true), "two threads called ParallelFor of one pool");

  task_ = &task;
  count_ = count;
  finished_ = 0;
  const std::uint64_t loop = (claims_ >> 32) + 1;
  claims_ = loop << 32 | static_cast<std::uint64_t>(count);
  // Sequentially consistent, like the sleepers' own check: either we see the sleeper, or it sees
  // the work.
  if (sleepers_ > 0 && count > 1) {
    { const std::lock_guard lock(mutex_); }
    work_came_.notify_all();
  }

  RunTasks(0);
  const auto all_finished = [this] { return finished_ == count_; };
  if (!SpinUntil(all_finished)) {
    std::unique_lock lock(mutex_);
    work_done_.wait(lock, all_finished);
  }

  const std::exception_ptr exception = std::exchange(exception_, nullptr);
  busy_ = false;
  if (exception) std::rethrow_exception(exception);
}

void ThreadPool::Work(int worker) {
  const auto has_work = [this] { return (claims_ & kUnclaimedMask) != 0 || stopping_; };
  while (!stopping_) {
    if (!SpinUntil(has_work)) {
      std::unique_lock lock(mutex_);
      ++sleepers_;
      work_came_.wait(lock, has_work);
      --sleepers_;
    }
    RunTasks(worker);
  }
}

void ThreadPool::RunTasks(int worker) {
  std::int64_t finished = 0;
  std::int64_t count = 0;
  inside_task = true;
  std::uint64_t seen = claims_;
  while ((seen & kUnclaimedMask) != 0) {
    if (!claims_.compare_exchange_weak(seen, seen - 1)) continue;
    // The claimed index keeps its loop alive, so task_ and count_ belong to that loop.
    count = count_;
    const std::int64_t index = count - static_cast<std::int64_t>(seen & kUnclaimedMask);
    try {
      (*task_)(index, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!exception_ || index < exception_index_) {
        exception_ = std::current_exception();
        exception_index_ = index;
      }
    }
    ++finished;
    seen = claims_;
  }
  inside_task = false;
  // The thread that reports the last index wakes the caller; count_ may belong to the next loop by
  // then.
  if (finished > 0 && finished_.fetch_add(finished) + finished == count) {
    { const std::lock_guard lock(mutex_); }
    work_done_.notify_one();
  }
}

}  // namespace rhumb::core
