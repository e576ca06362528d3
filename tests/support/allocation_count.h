// Counts the allocations of this program and all loaded libraries, on all threads, by replacing
// malloc. Counts nothing under a sanitizer, which replaces malloc as well.
#pragma once

#include <cstddef>

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

}  // namespace rhumb::test
