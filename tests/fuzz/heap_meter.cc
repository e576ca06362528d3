#include "tests/fuzz/heap_meter.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace rhumb::fuzz {
namespace {

std::atomic<std::int64_t> live{0}, start{0}, peak{0}, largest{0};
std::atomic<bool> is_metered{false};

void Raise(std::atomic<std::int64_t>& high, std::int64_t value) {
  std::int64_t seen = high;
  while (value > seen && !high.compare_exchange_weak(seen, value)) {
  }
}

void Take(std::size_t bytes) { Raise(peak, live += static_cast<std::int64_t>(bytes)); }
void Release(std::size_t bytes) { live -= static_cast<std::int64_t>(bytes); }

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

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#if defined(RHUMB_FUZZ_REPLAY) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// The tests replace malloc. These are glibc's own names of it.
#include <malloc.h>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

static void* Taken(void* memory) {
  rhumb::fuzz::Take(malloc_usable_size(memory));
  return memory;
}
void* malloc(std::size_t size) { return Taken(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return Taken(__libc_calloc(count, size)); }
void* realloc(void* memory, std::size_t size) {
  rhumb::fuzz::Release(malloc_usable_size(memory));
  return Taken(__libc_realloc(memory, size));
}
void* memalign(std::size_t alignment, std::size_t size) {
  return Taken(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  rhumb::fuzz::Release(malloc_usable_size(memory));
  __libc_free(memory);
}
}

#else

// The sanitizers call ours. This is of <sanitizer/allocator_interface.h>, which comes with their
// package; the check by clang-tidy has to do without it.
extern "C" {
std::size_t __sanitizer_get_allocated_size(const volatile void* pointer);
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                  std::size_t),
                                              void (*free_hook)(const volatile void*));
}

static const int kInstalled = [] {
  // tools/fuzz reads it among libFuzzer's own figures.
  std::atexit([] {
    std::fprintf(stderr, "stat::peak_heap_kb: %lld\n",
                 static_cast<long long>(rhumb::fuzz::largest / 1024));
  });
  return __sanitizer_install_malloc_and_free_hooks(
      [](const volatile void*, std::size_t bytes) { rhumb::fuzz::Take(bytes); },
      [](const volatile void* pointer) {
        if (pointer != nullptr) rhumb::fuzz::Release(__sanitizer_get_allocated_size(pointer));
      });
}();

#endif
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
