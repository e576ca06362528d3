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

namespace rhumb::core {

// How a process ended.
struct ProcessEnd {
  int exit_code = 0;  // valid where signal is 0
  int signal = 0;     // the signal that ended it; 0 for none

  bool ok() const { return exit_code == 0 && signal == 0; }
  // The status that a shell reports: the exit code, or 128 + the signal.
  int shell_status() const { return signal != 0 ? 128 + signal : exit_code; }
};

struct ProcessOptions {
  static constexpr int kNull = -1;  // /dev/null
  static constexpr int kPipe = -2;  // a stream that ChildProcess::Write fills

  std::filesystem::path folder = {};  // working folder; empty: the caller's
  // Our descriptors that become stdin, stdout and stderr of the child; stdin may also be kNull or
  // kPipe. The child inherits no other descriptor that is marked close-on-exec.
  int input = kNull;
  int output = STDOUT_FILENO;
  int error = STDERR_FILENO;
  // The child receives this signal when the thread that started it ends, however that happens.
  int death_signal = SIGKILL;
};

// One child process, used by the thread that starts it. The child has its own process group, so a
// Ctrl-C in the terminal reaches it only if this process hands it on. Its SIGINT and SIGTERM have
// the default action from the first moment, so no signal to it is lost. Different threads may run
// different children.
class ChildProcess {
 public:
  // Starts words[0], which is searched on PATH if it contains no '/', with all words as argv. A
  // program that cannot be started is an Error.
  explicit ChildProcess(const std::vector<std::string>& words, const ProcessOptions& options = {});
  // Kills the child and its group unless Wait() has returned.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes to the child's stdin, which must be kPipe, and blocks while the pipe is full. Returns
  // false if the child no longer reads; this process receives no SIGPIPE.
  [[nodiscard]] bool Write(std::span<const std::uint8_t> bytes);

  // Closes the pipe to stdin and waits for the child to end. With an `interrupt_signal` other than
  // 0 it checks WasInterrupted() meanwhile and sends the child's group that signal once.
  ProcessEnd Wait(int interrupt_signal = 0);

 private:
  pid_t process_ = -1;  // -1 after it has ended
  int input_ = -1;      // our end of the pipe; -1 if there is none
};

struct CapturedRun {
  ProcessEnd end;
  std::string output;
};

// Runs a command to its end: `input` is its stdin, and its stdout is returned. Both are files in
// memory, which the command may open as /dev/stdin and /dev/stdout. A caught interrupt
// kills the command.
CapturedRun RunCaptured(const std::vector<std::string>& words, std::string_view input);

}  // namespace rhumb::core
