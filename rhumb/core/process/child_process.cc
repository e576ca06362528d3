#include "rhumb/core/process/child_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/process/interrupt.h"

namespace rhumb::core {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(10);

// Closes its descriptor on destruction; -1 means empty.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  int Release() { return std::exchange(number_, -1); }
  void Close() {
    if (number_ >= 0) ::close(Release());
  }

 private:
  int number_;
};

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

// Everything the child needs between fork and exec. Another thread may hold the allocator's lock
// at the fork, so nothing here allocates.
struct Launch {
  char* const* arguments;
  const char* folder;  // nullptr means the caller's
  int input, output, error;
  int death_signal;
  pid_t parent;
  const sigset_t* signals;
};

// Makes `from` the child's descriptor `to`. If both are equal, dup2 alone would leave
// close-on-exec set.
bool Become(int from, int to) {
  return from == to ? ::fcntl(to, F_SETFD, 0) == 0 : ::dup2(from, to) >= 0;
}

// Runs in the child; returns only on failure, with the reason in errno. posix_spawn is unsuitable
// because it cannot set a death signal.
void Execute(const Launch& launch) {
  ::setpgid(0, 0);
  // Our handlers would swallow a signal that arrives before the exec. All signals were blocked at
  // the fork, so a pending one takes effect now.
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, launch.death_signal);
  if (::getppid() != launch.parent) ::raise(launch.death_signal);
  ::pthread_sigmask(SIG_SETMASK, launch.signals, nullptr);
  const int input =
      launch.input == ProcessOptions::kNull ? ::open("/dev/null", O_RDONLY) : launch.input;
  if (Become(input, STDIN_FILENO) && Become(launch.output, STDOUT_FILENO) &&
      Become(launch.error, STDERR_FILENO) &&
      (launch.folder == nullptr || ::chdir(launch.folder) == 0)) {
    ::execvp(launch.arguments[0], launch.arguments);
  }
}

// An unnamed in-memory file.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view contents = {})
      : descriptor_(::memfd_create("rhumb", MFD_CLOEXEC)) {
    if (descriptor_.get() < 0) Fail("cannot make a file in memory: {}", std::strerror(errno));
    while (!contents.empty()) {
      const ssize_t written = ::write(descriptor_.get(), contents.data(), contents.size());
      if (written < 0) Fail("cannot write to a file in memory: {}", std::strerror(errno));
      contents.remove_prefix(static_cast<std::size_t>(written));
    }
    ::lseek(descriptor_.get(), 0, SEEK_SET);
  }

  int descriptor() const { return descriptor_.get(); }

  std::string Read() const {
    struct stat status {};
    ::fstat(descriptor_.get(), &status);
    std::string contents(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t size = 0;
    while (size < contents.size()) {
      const ssize_t read = ::pread(descriptor_.get(), contents.data() + size,
                                   contents.size() - size, static_cast<off_t>(size));
      if (read <= 0) Fail("cannot read a file in memory: {}", std::strerror(errno));
      size += static_cast<std::size_t>(read);
    }
    return contents;
  }

 private:
  Descriptor descriptor_;
};

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
    const Launch launch = {.arguments = arguments.data(),
                           .folder = options.folder.empty() ? nullptr : options.folder.c_str(),
                           .input = theirs.get() >= 0 ? theirs.get() : options.input,
                           .output = options.output,
                           .error = options.error,
                           .death_signal = options.death_signal,
                           .parent = ::getpid(),
                           .signals = &block.former()};
    process_ = ::fork();
    if (process_ == 0) {
      Execute(launch);
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
  input_ = ours.Release();
}

ChildProcess::~ChildProcess() {
  if (process_ < 0) return;
  ::kill(-process_, SIGKILL);
  Wait();
}

bool ChildProcess::Write(std::span<const std::uint8_t> bytes) {
  RHUMB_CHECK(input_ >= 0, "a child process has no pipe to write to");
  while (!bytes.empty()) {
    const ssize_t sent = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

ProcessEnd ChildProcess::Wait(int interrupt_signal) {
  RHUMB_CHECK(process_ >= 0, "a child process that has ended is waited for");
  if (input_ >= 0) ::close(std::exchange(input_, -1));
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
  const MemoryFile standard_input(input), standard_output;
  ChildProcess child(
      words, {.input = standard_input.descriptor(), .output = standard_output.descriptor()});
  const ProcessEnd end = child.Wait(SIGKILL);
  return {end, standard_output.Read()};
}

}  // namespace rhumb::core
