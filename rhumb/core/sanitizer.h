// Tells ThreadSanitizer about orderings that it cannot see, because MuJoCo's thread pool is not
// compiled with it. Does nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace rhumb::core {

// Writes before a PublishTo are visible to threads that later call SeeFrom with the same address.
inline void PublishTo([[maybe_unused]] const void* address) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(const_cast<void*>(address));
#endif
}

inline void SeeFrom([[maybe_unused]] const void* address) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(const_cast<void*>(address));
#endif
}

}  // namespace rhumb::core
