// For ThreadSanitizer alone: orderings that it cannot see, because the library that makes them
// (MuJoCo's thread pool) is not compiled with it. Nothing in any other build.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace rhumb::core {

// What this thread did before a PublishTo is seen by those that later SeeFrom the same address.
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
