// A child process, started without a shell.
//
//   words, descriptors -> ChildProcess -> Write()... -> Wait() -> ProcessEnd
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/files/descriptor.h"

namespace rhumb::core {

// How a process ended.
struct ProcessEnd {
  int exit_code = 0;  // valid if signal is 0
  int signal = 0;     // the signal that ended it, or 0

  bool ok() const { return exit_code == 0 && signal == 0; }
  // The status that a shell reports: the exit code, or 128 + the signal.
  int shell_status() const { return signal != 0 ? 128 + signal : exit_code; }
};

struct ProcessOptions {
  static constexpr int kNull = -1;  // /dev/null
  static constexpr int kPipe = -2;  // a stream filled by ChildProcess::Write

  std::filesystem::path folder = {};  // working folder; empty means the caller's
  // Our descriptors for the child's stdin, stdout and stderr; stdin may also be kNull or kPipe.
  // The child inherits no other descriptor that is marked close-on-exec.
  int input = kNull;
  int output = STDOUT_FILENO;
  int error = STDERR_FILENO;
  // The child receives this signal when the thread that started it ends for any reason.
  int death_signal = SIGKILL;
};

// One child process, used by the thread that starts it. The child has its own process group, so
// Ctrl-C in the terminal reaches it only if this process forwards it. Its SIGINT and SIGTERM have
// the default action from the start, so no signal is lost. Different threads may run different
// children.
class ChildProcess {
 public:
  // Starts words[0] with all words as argv; searches PATH if words[0] contains no '/'. Throws
  // Error if the program cannot be started.
  explicit ChildProcess(const std::vector<std::string>& words, const ProcessOptions& options = {});
  // Kills the child and its group unless Wait() has returned.
  ~ChildProcess();

  // Writes to the child's stdin, which must be kPipe, and blocks while the pipe is full. Returns
  // false if the child no longer reads; this process receives no SIGPIPE.
  [[nodiscard]] bool Write(std::span<const std::uint8_t> bytes);

  // Closes the pipe to stdin and waits for the child to end. With a nonzero `interrupt_signal` it
  // also polls WasInterrupted() and then sends that signal once to the child's group.
  ProcessEnd Wait(int interrupt_signal = 0);

 private:
  pid_t process_ = -1;  // -1 after it has ended
  Descriptor input_;    // our end of the pipe
};

struct CapturedRun {
  ProcessEnd end;
  std::string output;
};

// Runs a command to its end with `input` as stdin, and returns its stdout. Both are in-memory
// files, which the command may open as /dev/stdin and /dev/stdout. A caught interrupt kills the
// command.
CapturedRun RunCaptured(const std::vector<std::string>& words, std::string_view input);

}  // namespace rhumb::core
