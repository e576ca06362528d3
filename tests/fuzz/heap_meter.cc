#include "tests/fuzz/heap_meter.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// Of <sanitizer/allocator_interface.h>, which comes with the sanitizers' package. The check by
// clang-tidy has to do without it.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
std::size_t __sanitizer_get_allocated_size(const volatile void* pointer);
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                  std::size_t),
                                              void (*free_hook)(const volatile void*));
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace rhumb::fuzz {
namespace {

std::atomic<std::int64_t> live{0}, start{0}, peak{0}, largest{0};
std::atomic<bool> is_metered{false};

void Raise(std::atomic<std::int64_t>& high, std::int64_t value) {
  std::int64_t seen = high;
  while (value > seen && !high.compare_exchange_weak(seen, value)) {
  }
}

void NoteMalloc(const volatile void*, std::size_t bytes) {
  Raise(peak, live += static_cast<std::int64_t>(bytes));
}
void NoteFree(const volatile void* pointer) {
  if (pointer == nullptr) return;
  live -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(pointer));
}

// tools/fuzz reads it among libFuzzer's own figures.
void Print() {
  std::fprintf(stderr, "stat::peak_heap_kb: %lld\n", static_cast<long long>(largest / 1024));
}

const int kInstalled = [] {
  std::atexit(Print);
  return __sanitizer_install_malloc_and_free_hooks(NoteMalloc, NoteFree);
}();

}  // namespace

HeapMeter::HeapMeter() : is_outer_(!is_metered.exchange(true)) {
  if (!is_outer_) return;
  start = live.load();
  peak = live.load();
}

HeapMeter::~HeapMeter() {
  if (!is_outer_) return;
  is_metered = false;
  Raise(largest, peak - start);
  if (peak - start <= kMaxHeapBytes) return;
  std::fprintf(stderr, "the reader took %lld bytes\n", static_cast<long long>(peak - start));
  std::abort();
}

}  // namespace rhumb::fuzz
