#include "tests/support/allocation_count.h"

#include <atomic>
#include <cerrno>

namespace {
std::atomic<std::size_t> allocations{0};
// Allocations of this thread until one fails; 0: none does.
thread_local std::size_t until_failure = 0;
}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
#define RHUMB_COUNTS_ALLOCATIONS true

// glibc's allocator under its internal names. The linker redirects every library to the versions
// below.
static bool CountAndFail() {
  ++allocations;
  if (until_failure == 0 || --until_failure > 0) return false;
  errno = ENOMEM;
  return true;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) { return CountAndFail() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return CountAndFail() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  return CountAndFail() ? nullptr : __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return CountAndFail() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return CountAndFail() ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (CountAndFail()) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
#else
#define RHUMB_COUNTS_ALLOCATIONS false
#endif

namespace rhumb::test {

AllocationCount::AllocationCount() : before_(allocations) {}
std::size_t AllocationCount::since_construction() const { return allocations - before_; }
bool AllocationCount::works() { return RHUMB_COUNTS_ALLOCATIONS; }

FailingAllocation::FailingAllocation(std::size_t number) { until_failure = number; }
FailingAllocation::~FailingAllocation() { until_failure = 0; }
bool FailingAllocation::has_failed() const { return until_failure == 0; }

}  // namespace rhumb::test
