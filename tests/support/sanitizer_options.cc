// Linked into every test binary: sanitizer suppressions for third-party libraries.
#if defined(__SANITIZE_THREAD__)
// libmujoco and Mesa's software driver are not instrumented, so TSan cannot see how their threads
// wait for each other. Guarded is on the stack of each worker of MuJoCo's batches.
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions();
const char* __tsan_default_suppressions() {
  return "race:mjBatch_::Guarded\n"
         "race:swrast_dri.so\n";
}
#endif
