// A fixed set of threads that share the indices of a loop.
//
//   ParallelFor(count, task)  ->  every thread claims the next index until none is left  -> returns
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "rhumb/core/function_ref.h"

namespace rhumb::core {

// Owns its threads. The calling thread takes part, so a pool of one starts no thread. Only one
// ParallelFor may run at a time, from any thread but not from inside a task; both rules are
// checked.
class ThreadPool {
 public:
  // task(index, worker): worker 0 is the caller. Tasks that run at the same time have different
  // workers.
  using Task = FunctionRef<void(std::int64_t index, int worker)>;

  // Throws Error if `threads` is below 1 or the system cannot start that many.
  explicit ThreadPool(int threads);
  ~ThreadPool();

  // Runs every index in [0, count) once and returns when all are done; allocates nothing. Any
  // thread may take any index. If tasks throw, the others still run. The exception of the lowest
  // index is then rethrown, so the outcome does not depend on the number of threads.
  void ParallelFor(std::int64_t count, Task task);

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

 private:
  void Work(int worker);
  void RunTasks(int worker);
  void Stop();

  std::vector<std::thread> workers_;
  std::atomic<bool> busy_{false};
  std::atomic<bool> stopping_{false};

  // Loop number in the high 32 bits, unclaimed indices in the low 32 bits. A late thread fails to
  // claim from a finished loop, so nobody waits for it.
  std::atomic<std::uint64_t> claims_{0};
  // Written before claims_ and read only after a claim has succeeded.
  const Task* task_ = nullptr;
  std::int64_t count_ = 0;
  std::atomic<std::int64_t> finished_{0};

  // For threads that have stopped spinning.
  std::mutex mutex_;
  std::condition_variable work_came_;
  std::condition_variable work_done_;
  std::atomic<int> sleepers_{0};
  std::exception_ptr exception_;
  std::int64_t exception_index_ = 0;
};

}  // namespace rhumb::core
