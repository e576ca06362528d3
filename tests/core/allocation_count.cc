#include "tests/core/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> allocations{0};
}  // namespace

// Not inlined, or the compiler sees new and free side by side and warns of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace rhumb::core {

AllocationCount::AllocationCount() : before_(allocations) {}
std::size_t AllocationCount::since_construction() const { return allocations - before_; }

}  // namespace rhumb::core
