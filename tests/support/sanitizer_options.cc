// Part of every test binary: what the sanitizers have to know of libraries that are not ours.
#if defined(__SANITIZE_THREAD__)
// libmujoco and Mesa's software driver are not instrumented, so their own locking is invisible.
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions();
const char* __tsan_default_suppressions() {
  return "called_from_lib:libmujoco.so\n"
         "race:swrast_dri.so\n";
}
#endif
