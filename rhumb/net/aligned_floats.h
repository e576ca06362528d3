// Floats that begin at a cache line, so that no vector of a row of weights lies across two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace rhumb::net {

// An allocator whose memory begins at a cache line.
template <class Number>
struct CacheLineAllocator {
  using value_type = Number;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class Other>
  CacheLineAllocator(const CacheLineAllocator<Other>&) {}

  Number* allocate(std::size_t count) {
    return static_cast<Number*>(::operator new(count * sizeof(Number), kAlignment));
  }
  void deallocate(Number* memory, std::size_t) { ::operator delete(memory, kAlignment); }

  bool operator==(const CacheLineAllocator&) const { return true; }
};

using AlignedFloats = std::vector<float, CacheLineAllocator<float>>;

}  // namespace rhumb::net
