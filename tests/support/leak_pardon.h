// Leaks of other people's libraries that a test provokes.
#pragma once

// As in sanitizer/lsan_interface.h, which a machine without the sanitizers lacks.
#ifdef __SANITIZE_ADDRESS__
extern "C" void __lsan_disable();
extern "C" void __lsan_enable();
#endif

namespace rhumb::test {

// While it lives, what this thread allocates is not reported as a leak. For a library that keeps
// memory when its work fails; say at each use which one and when. Does nothing without a sanitizer.
class LeakPardon {
 public:
#ifdef __SANITIZE_ADDRESS__
  LeakPardon() { __lsan_disable(); }
  ~LeakPardon() { __lsan_enable(); }
#else
  LeakPardon() {}
  ~LeakPardon() {}
#endif
  LeakPardon(const LeakPardon&) = delete;
  LeakPardon& operator=(const LeakPardon&) = delete;
};

}  // namespace rhumb::test
