// Measures the heap that a reader takes at most, and ends the target when that is too much.
#pragma once

#include <cstdint>

namespace rhumb::fuzz {

constexpr std::int64_t kMaxHeapBytes = std::int64_t{64} << 20;

// Counts from its construction to its destruction. One at a time; one inside another counts with
// the outer one.
class HeapMeter {
 public:
  HeapMeter();
  ~HeapMeter();

 private:
  bool is_outer_;
};

}  // namespace rhumb::fuzz
