// The interface between the `rhumb` binary and librhumb_learn, the training library.
//
// The binary does not link to the library. It loads the library for commands that train, and looks
// these functions up by name. They therefore form a C interface without torch, and kRhumbLearnAbi
// changes whenever a declaration below does.
#pragma once

inline constexpr int kRhumbLearnAbi = 3;

// A description of the loaded library and its entry point. The strings live as long as the library.
struct RhumbLearnInfo {
  int abi;                     // kRhumbLearnAbi of the library
  const char* torch_version;   // version of the libtorch in use, for example "2.11.0"
  const char* cpu_capability;  // instruction set that torch chose, for example "AVX2"
  int threads;                 // threads that torch uses inside one operation

  // Runs `command`, for example "population train". `request` is core::ToJson of the command's
  // request with all settings resolved. The library calls `should_stop` between iterations. Returns
  // an exit code of the command line: 0 done, 2 bad input, 130 interrupted with the work saved, 1
  // our bug. Unless it returns 0, it writes a sentence to `message`.
  int (*run)(const char* command, const char* request, int (*should_stop)(), char* message,
             int message_size);
};

extern "C" {
// Never null; safe to call from any thread.
[[gnu::visibility("default")]] const RhumbLearnInfo* DescribeRhumbLearn();
}
