// The seam between the `rhumb` binary and librhumb_learn, the training library.
//
// The binary does not link to the library: it loads it for a command that trains and looks these
// functions up by name. So they are a C interface, nothing here includes torch, and
// kRhumbLearnAbi changes whenever a declaration below does.
#pragma once

inline constexpr int kRhumbLearnAbi = 3;

// What the loaded library is, and what it does. The strings live as long as the library.
struct RhumbLearnInfo {
  int abi;                     // kRhumbLearnAbi of the library
  const char* torch_version;   // of the libtorch in use, such as "2.11.0"
  const char* cpu_capability;  // the instruction set torch chose, such as "AVX2"
  int threads;                 // the number of threads torch uses inside one operation

  // Runs `command`, such as "population train". `request` is core::ToJson of that command's request
  // with all settings resolved. `should_stop` is asked between iterations. Returns an exit code of
  // the command line (0 done, 2 bad input, 130 interrupted with the work saved, 1 our bug) and,
  // unless 0, a sentence in `message`.
  int (*run)(const char* command, const char* request, int (*should_stop)(), char* message,
             int message_size);
};

extern "C" {
// Never null; safe to call from any thread.
[[gnu::visibility("default")]] const RhumbLearnInfo* DescribeRhumbLearn();
}
