// A library to preload (LD_PRELOAD) that counts a program's calls of the system and lets one fail.
//
//   RHUMB_FAULT_COUNTS=FILE   a file of kKindCount 64-bit numbers, calls so far of each kind;
//   shared
//                             by all processes that the program starts
//   RHUMB_FAULT=KIND:N        the N-th call of that kind fails, and no other. With KIND:N+ so do
//   all
//                             later ones, as on a disk that stays full
//   RHUMB_FAULT_CHILDREN=0    child processes neither count nor fail
//   RHUMB_FAULT_BYTES=N       allocations below N bytes neither count nor fail
//
// Calls inside the C library itself do not pass here, such as those of stdio's buffers and of the
// loader of libraries.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace {

enum Kind { kWrite, kSync, kRename, kOpen, kMap, kAllocate, kKindCount };
constexpr const char* kKindNames[kKindCount] = {"write", "sync", "rename",
                                                "open",  "map",  "allocate"};

using Count = std::atomic<std::uint64_t>;
static_assert(sizeof(Count) == sizeof(std::uint64_t) && Count::is_always_lock_free);

Count* counts = nullptr;
int failing = kKindCount;
std::uint64_t fails_at = 0;
bool fails_on = false;
std::uint64_t least_bytes = 0;

template <class Function>
Function Original(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Runs before main. Calls before it are neither counted nor failed.
[[gnu::constructor]] void Install() {
  const char* file = getenv("RHUMB_FAULT_COUNTS");
  if (file == nullptr) return;
  const auto open_file = Original<int (*)(const char*, int, ...)>("open");
  const int descriptor = open_file(file, O_RDWR | O_CLOEXEC);
  void* shared = MAP_FAILED;
  if (descriptor >= 0) {
    const auto map = Original<void* (*)(void*, size_t, int, int, int, off_t)>("mmap");
    shared =
        map(nullptr, kKindCount * sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
  }
  if (shared == MAP_FAILED) {
    fprintf(stderr, "fault_injector: cannot map %s\n", file);
    _exit(99);
  }
  if (const char* bytes = getenv("RHUMB_FAULT_BYTES")) least_bytes = strtoull(bytes, nullptr, 10);
  if (const char* fault = getenv("RHUMB_FAULT")) {
    const char* colon = strchr(fault, ':');
    for (int kind = 0; kind < kKindCount && colon != nullptr; ++kind) {
      const auto length = static_cast<size_t>(colon - fault);
      if (strlen(kKindNames[kind]) == length && strncmp(fault, kKindNames[kind], length) == 0) {
        failing = kind;
        char* end = nullptr;
        fails_at = strtoull(colon + 1, &end, 10);
        fails_on = *end == '+';
      }
    }
  }
  const char* children = getenv("RHUMB_FAULT_CHILDREN");
  if (children != nullptr && strcmp(children, "0") == 0) unsetenv("LD_PRELOAD");
  counts = static_cast<Count*>(shared);
}

// Counts a call. Returns whether it shall fail.
bool Fails(Kind kind) {
  if (counts == nullptr) return false;
  const std::uint64_t number = ++counts[kind];
  return kind == failing && (number == fails_at || (fails_on && number > fails_at));
}

bool FailsWith(Kind kind, int reason) {
  if (!Fails(kind)) return false;
  errno = reason;
  return true;
}

bool AllocationFails(size_t bytes) { return bytes >= least_bytes && FailsWith(kAllocate, ENOMEM); }

mode_t ModeOf(int flags, va_list& more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) { return AllocationFails(bytes) ? nullptr : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) {
  return AllocationFails(count * bytes) ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) {
  return AllocationFails(bytes) ? nullptr : __libc_realloc(old, bytes);
}
void* memalign(size_t alignment, size_t bytes) {
  return AllocationFails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** result, size_t alignment, size_t bytes) {
  if (AllocationFails(bytes)) return ENOMEM;
  *result = __libc_memalign(alignment, bytes);
  return *result == nullptr ? ENOMEM : 0;
}

// A call that is passed on unless it fails; `failed` is its result then.
#define RHUMB_FAULT(kind, reason, failed, result, name, parameters, ...) \
  result name parameters {                                               \
    static const auto original = Original<result(*) parameters>(#name);  \
    return FailsWith(kind, reason) ? (failed) : original(__VA_ARGS__);   \
  }

RHUMB_FAULT(kWrite, ENOSPC, -1, ssize_t, write, (int file, const void* bytes, size_t count), file,
            bytes, count)
RHUMB_FAULT(kWrite, ENOSPC, -1, ssize_t, pwrite,
            (int file, const void* bytes, size_t count, off_t at), file, bytes, count, at)
RHUMB_FAULT(kWrite, ENOSPC, -1, ssize_t, pwrite64,
            (int file, const void* bytes, size_t count, off_t at), file, bytes, count, at)
RHUMB_FAULT(kWrite, ENOSPC, -1, ssize_t, writev, (int file, const iovec* parts, int count), file,
            parts, count)
RHUMB_FAULT(kWrite, ENOSPC, -1, int, ftruncate, (int file, off_t size) noexcept, file, size)
RHUMB_FAULT(kWrite, ENOSPC, -1, int, ftruncate64, (int file, off_t size) noexcept, file, size)
RHUMB_FAULT(kSync, EIO, -1, int, fsync, (int file), file)
RHUMB_FAULT(kSync, EIO, -1, int, fdatasync, (int file), file)
RHUMB_FAULT(kRename, EIO, -1, int, rename, (const char* from, const char* to) noexcept, from, to)
RHUMB_FAULT(kRename, EIO, -1, int, renameat,
            (int from_folder, const char* from, int to_folder, const char* to) noexcept,
            from_folder, from, to_folder, to)
RHUMB_FAULT(kRename, EIO, -1, int, renameat2,
            (int from_folder, const char* from, int to_folder, const char* to,
             unsigned flags) noexcept,
            from_folder, from, to_folder, to, flags)
RHUMB_FAULT(kOpen, ENOSPC, -1, int, mkdir, (const char* path, mode_t mode) noexcept, path, mode)
RHUMB_FAULT(kOpen, EMFILE, nullptr, DIR*, opendir, (const char* path), path)
RHUMB_FAULT(kOpen, EMFILE, nullptr, FILE*, fopen, (const char* path, const char* mode), path, mode)
RHUMB_FAULT(kOpen, EMFILE, nullptr, FILE*, fopen64, (const char* path, const char* mode), path,
            mode)
RHUMB_FAULT(kMap, ENOMEM, MAP_FAILED, void*, mmap,
            (void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept, at,
            size, protection, flags, file, offset)
RHUMB_FAULT(kMap, ENOMEM, MAP_FAILED, void*, mmap64,
            (void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept, at,
            size, protection, flags, file, offset)

#define RHUMB_FAULT_OPEN(name)                                                    \
  int name(const char* path, int flags, ...) {                                    \
    static const auto original = Original<int (*)(const char*, int, ...)>(#name); \
    va_list more;                                                                 \
    va_start(more, flags);                                                        \
    const mode_t mode = ModeOf(flags, more);                                      \
    va_end(more);                                                                 \
    return FailsWith(kOpen, EMFILE) ? -1 : original(path, flags, mode);           \
  }
#define RHUMB_FAULT_OPENAT(name)                                                       \
  int name(int folder, const char* path, int flags, ...) {                             \
    static const auto original = Original<int (*)(int, const char*, int, ...)>(#name); \
    va_list more;                                                                      \
    va_start(more, flags);                                                             \
    const mode_t mode = ModeOf(flags, more);                                           \
    va_end(more);                                                                      \
    return FailsWith(kOpen, EMFILE) ? -1 : original(folder, path, flags, mode);        \
  }
RHUMB_FAULT_OPEN(open)
RHUMB_FAULT_OPEN(open64)
RHUMB_FAULT_OPENAT(openat)
RHUMB_FAULT_OPENAT(openat64)

#pragma GCC visibility pop

}  // extern "C"
