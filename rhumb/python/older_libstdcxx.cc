// std::condition_variable::wait of GCC 12 asks for a libstdc++ that Ubuntu 22.04 and RHEL 9 lack,
// and nothing else in the extension does. The linker sends calls here (--wrap, cmake/Python.cmake),
// and this calls the same function by its older name, so the wheel runs there (tools/make_wheel).
#include <condition_variable>
#include <mutex>

extern "C" {
void WaitOfOlderLibrary(std::condition_variable* self, std::unique_lock<std::mutex>* lock);
__asm__(
    ".symver WaitOfOlderLibrary, "
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");

// The name is the linker's.
void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(  // NOLINT
    std::condition_variable* self, std::unique_lock<std::mutex>* lock) {
  WaitOfOlderLibrary(self, lock);
}
}
