// Linked into every test binary: sanitizer suppressions for third-party libraries.
#if defined(__SANITIZE_THREAD__)
// libmujoco and Mesa's software driver are not instrumented, so TSan cannot see how their threads
// wait for each other. This also hides races in what MuJoCo's workers call of ours.
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions();
const char* __tsan_default_suppressions() {
  return "race:libmujoco.so\n"
         "race:swrast_dri.so\n";
}
#endif
