// Counts the allocations of this program and of every library it has loaded, on all threads: malloc
// itself is replaced. Under a sanitizer, which replaces it too, nothing is counted.
#pragma once

#include <cstddef>

namespace rhumb::test {

class AllocationCount {
 public:
  AllocationCount();
  std::size_t since_construction() const;

  // Whether anything is counted in this build.
  static bool works();

 private:
  std::size_t before_;
};

}  // namespace rhumb::test
