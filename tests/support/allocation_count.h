// Counts the allocations of this program and all loaded libraries, on all threads, by replacing
// malloc, and lets one fail. Does nothing under a sanitizer, which replaces malloc as well.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace rhumb::test {

class AllocationCount {
 public:
  AllocationCount();
  std::size_t since_construction() const;

  // Whether allocations are counted in this build.
  static bool works();

 private:
  std::size_t before_;
};

// While it lives, the `number`-th allocation of this thread fails, and no other. The allocations of
// the library whose file name holds `spared` neither fail nor count.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t number, const char* spared = "");
  ~FailingAllocation();
  bool has_failed() const;
};

// Calls `function` while the `number`-th allocation fails. It may throw std::bad_alloc or
// std::runtime_error, or do without the memory. Returns whether there were so many allocations.
template <class Function>
bool FailAllocation(std::size_t number, Function function, const char* spared = "") {
  const FailingAllocation failing(number, spared);
  try {
    function();
  } catch (const std::bad_alloc&) {
  } catch (const std::runtime_error&) {
  }
  return failing.has_failed();
}

// Of how many allocations one fails, where all of them take too long for every day:
// RHUMB_EVERY_ALLOCATION=1 lets all fail.
inline std::size_t AllocationStep(std::size_t every_day) {
  return std::getenv("RHUMB_EVERY_ALLOCATION") == nullptr ? every_day : 1;
}

// Calls `function` until it gets through: in the n-th call, the n-th allocation fails, or every
// `step`-th. Returns the number of allocations that failed.
template <class Function>
std::size_t FailEveryAllocation(Function function, std::size_t step = 1) {
  std::size_t failed = 0;
  while (FailAllocation(1 + failed * step, function)) ++failed;
  return failed;
}

// The same in child processes, which may also abort: libstdc++ 12 does so if memory runs out while
// it lists a folder. Calls `check` after each.
template <class Function, class Check>
std::size_t FailEveryAllocationOfChildren(Function function, Check check, std::size_t step = 1,
                                          const char* spared = "") {
  for (std::size_t failed = 0;; ++failed) {
    const std::size_t number = 1 + failed * step;
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(STDERR_FILENO);
      ::_exit(FailAllocation(number, function, spared) ? 7 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    check();
    if (WIFSIGNALED(status) ? WTERMSIG(status) != SIGABRT : WEXITSTATUS(status) != 7) {
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return failed;
      std::printf("allocation %zu: the child ended with status %d\n", number, status);
      return 0;
    }
  }
}

}  // namespace rhumb::test
