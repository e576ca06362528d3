// Counts the allocations of this program's operator new, on all threads.
#pragma once

#include <cstddef>

namespace rhumb::core {

class AllocationCount {
 public:
  AllocationCount();
  std::size_t since_construction() const;

 private:
  std::size_t before_;
};

}  // namespace rhumb::core
