// Counts the allocations of this program and all loaded libraries, on all threads, by replacing
// malloc, and lets one fail. Does nothing under a sanitizer, which replaces malloc as well.
#pragma once

#include <cstddef>
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

// While it lives, the `number`-th allocation of this thread fails, and no other.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t number);
  ~FailingAllocation();
  bool has_failed() const;
};

// Calls `function` until it gets through: in the n-th call, the n-th allocation fails. A call may
// throw std::bad_alloc or std::runtime_error, or do without the memory. Calls `check` after each.
// Returns the number of allocations that failed.
template <class Function, class Check>
std::size_t FailEveryAllocation(Function function, Check check) {
  for (std::size_t number = 1;; ++number) {
    bool has_failed = false;
    try {
      const FailingAllocation failing(number);
      try {
        function();
      } catch (...) {
        has_failed = failing.has_failed();
        throw;
      }
      has_failed = failing.has_failed();
    } catch (const std::bad_alloc&) {
    } catch (const std::runtime_error&) {
    }
    check();
    if (!has_failed) return number - 1;
  }
}

}  // namespace rhumb::test
