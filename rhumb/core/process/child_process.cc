#include "rhumb/core/process/child_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/process/interrupt.h"

namespace rhumb::core {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(10);

// Blocks all signals of this thread while it lives.
class SignalBlock {
 public:
  SignalBlock() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &former_);
  }
  ~SignalBlock() { ::pthread_sigmask(SIG_SETMASK, &former_, nullptr); }
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;

  const sigset_t& former() const { return former_; }

 private:
  sigset_t former_;
};

[[noreturn]] void FailToStart(const std::string& program, int reason) {
  Fail("cannot start {}: {}", program, std::strerror(reason));
}

// Makes `from` the child's descriptor `to`. If both are equal, dup2 alone would leave
// close-on-exec set.
bool Become(int from, int to) {
  return from == to ? ::fcntl(to, F_SETFD, 0) == 0 : ::dup2(from, to) >= 0;
}

// Runs in the child; returns only on failure, with the reason in errno. Another thread may hold the
// allocator's lock at the fork, so nothing here allocates. posix_spawn is unsuitable because it
// cannot set a death signal.
void Execute(char* const* arguments, const ProcessOptions& options, int input, pid_t parent,
             const sigset_t& signals) {
  ::setpgid(0, 0);
  // Our handlers would swallow a signal that arrives before the exec. All signals were blocked at
  // the fork, so a pending one takes effect now.
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, options.death_signal);
  if (::getppid() != parent) ::raise(options.death_signal);
  ::pthread_sigmask(SIG_SETMASK, &signals, nullptr);
  if (input == ProcessOptions::kNull) input = ::open("/dev/null", O_RDONLY);
  if (Become(input, STDIN_FILENO) && Become(options.output, STDOUT_FILENO) &&
      Become(options.error, STDERR_FILENO) &&
      (options.folder.empty() || ::chdir(options.folder.c_str()) == 0)) {
    ::execvp(arguments[0], arguments);
  }
}

// An unnamed in-memory file, at its start.
int MakeMemoryFile(std::string_view contents) {
  const int descriptor = ::memfd_create("rhumb", MFD_CLOEXEC);
  if (descriptor < 0) Fail("cannot make a file in memory: {}", std::strerror(errno));
  WriteAll(descriptor, contents, "a file in memory");
  ::lseek(descriptor, 0, SEEK_SET);
  return descriptor;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words, const ProcessOptions& options) {
  RHUMB_CHECK(!words.empty(), "a child process needs a program");
  RHUMB_CHECK(options.error != STDOUT_FILENO || options.output == STDOUT_FILENO,
              "stderr of a child cannot be the stdout that another descriptor replaces");
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  // Use a socket, because writing to a pipe whose reader has died would kill this process.
  int ends[2] = {-1, -1};
  if (options.input == ProcessOptions::kPipe &&
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    FailToStart(words[0], errno);
  }
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  // A successful exec closes this pipe; a failed one writes errno to it first.
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) FailToStart(words[0], errno);
  const Descriptor report_reader(report[0]);
  Descriptor report_writer(report[1]);

  {
    const SignalBlock block;
    const int input = theirs.get() >= 0 ? theirs.get() : options.input;
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) {
      Execute(arguments.data(), options, input, parent, block.former());
      const int reason = errno;
      [[maybe_unused]] const ssize_t ignored = ::write(report[1], &reason, sizeof reason);
      ::_exit(127);
    }
  }
  if (process_ < 0) FailToStart(words[0], errno);
  report_writer.Close();
  int reason = 0;
  ssize_t read = 0;
  do {
    read = ::read(report_reader.get(), &reason, sizeof reason);
  } while (read < 0 && errno == EINTR);
  if (read == sizeof reason) {
    Wait();
    FailToStart(words[0], reason);
  }
  input_ = std::move(ours);
}

ChildProcess::~ChildProcess() {
  if (process_ < 0) return;
  ::kill(-process_, SIGKILL);
  Wait();
}

bool ChildProcess::Write(std::span<const std::uint8_t> bytes) {
  RHUMB_CHECK(input_.get() >= 0, "a child process has no pipe to write to");
  while (!bytes.empty()) {
    const ssize_t sent = ::send(input_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

ProcessEnd ChildProcess::Wait(int interrupt_signal) {
  RHUMB_CHECK(process_ >= 0, "a child process that has ended is waited for");
  input_.Close();
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(process_, &status, interrupt_signal != 0 ? WNOHANG : 0);
    if (ended == process_) break;
    RHUMB_CHECK(ended == 0 || errno == EINTR, "waiting for a child: {}", std::strerror(errno));
    if (ended < 0) continue;
    if (WasInterrupted()) {
      // After sending the signal there is nothing left to poll.
      ::kill(-process_, std::exchange(interrupt_signal, 0));
    } else {
      std::this_thread::sleep_for(kPollInterval);
    }
  }
  process_ = -1;
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.exit_code = WEXITSTATUS(status)};
}

CapturedRun RunCaptured(const std::vector<std::string>& words, std::string_view input) {
  const Descriptor standard_input(MakeMemoryFile(input)), standard_output(MakeMemoryFile(""));
  ChildProcess child(words, {.input = standard_input.get(), .output = standard_output.get()});
  const ProcessEnd end = child.Wait(SIGKILL);
  return {end, ReadFile(fmt::format("/proc/self/fd/{}", standard_output.get()),
                        std::numeric_limits<std::uint64_t>::max())};
}

}  // namespace rhumb::core
