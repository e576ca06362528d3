#include "tests/support/allocation_count.h"

#include <link.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>

namespace {
std::atomic<std::size_t> allocations{0};
// Allocations of this thread until one fails; 0: none does.
thread_local std::size_t until_failure = 0;
// Where the code of a library lies whose own allocations do not fail.
thread_local std::uintptr_t spared_begin = 0, spared_end = 0;

int FindLibrary(dl_phdr_info* info, std::size_t, void* name) {
  if (std::strstr(info->dlpi_name, static_cast<const char*>(name)) == nullptr) return 0;
  for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    spared_begin = info->dlpi_addr + part.p_vaddr;
    spared_end = spared_begin + part.p_memsz;
  }
  return 1;
}
}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
#define RHUMB_COUNTS_ALLOCATIONS true

// glibc's allocator under its internal names. The linker redirects every library to the versions
// below.
static bool CountAndFail(const void* caller) {
  ++allocations;
  const auto from = reinterpret_cast<std::uintptr_t>(caller);
  if (until_failure == 0 || (from >= spared_begin && from < spared_end)) return false;
  if (--until_failure > 0) return false;
  errno = ENOMEM;
  return true;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  return CountAndFail(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  return CountAndFail(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  return CountAndFail(__builtin_return_address(0)) ? nullptr : __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return CountAndFail(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return CountAndFail(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
// Otherwise the C library would seem to ask, whoever calls it.
[[gnu::visibility("default")]] char* strdup(const char* text) noexcept {
  const std::size_t size = std::strlen(text) + 1;
  void* copy = CountAndFail(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
  return copy == nullptr ? nullptr : static_cast<char*>(std::memcpy(copy, text, size));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (CountAndFail(__builtin_return_address(0))) return ENOMEM;
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

FailingAllocation::FailingAllocation(std::size_t number, const char* spared) {
  if (*spared != '\0') dl_iterate_phdr(FindLibrary, const_cast<char*>(spared));
  until_failure = number;
}
FailingAllocation::~FailingAllocation() { until_failure = spared_begin = spared_end = 0; }
bool FailingAllocation::has_failed() const { return until_failure == 0; }

}  // namespace rhumb::test
