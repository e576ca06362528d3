// A library to preload (LD_PRELOAD) that stops random threads of a program at random moments for up
// to a millisecond, as a busy machine does. A result that depends on which thread comes first
// then differs from run to run.
//
//   RHUMB_SHAKE=SEED          shakes; nothing happens without it
//   RHUMB_SHAKE_COUNT=FILE    holds, as text, how often a thread was stopped so far
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <vector>

namespace {

constexpr long kMaxPauseNs = 1'000'000;
constexpr long kMaxGapNs = 4'000'000;

std::atomic<long> pause_ns{0}, stops{0};

void Sleep(long nanoseconds) {
  const timespec time{0, nanoseconds};
  nanosleep(&time, nullptr);
}

int Signal() { return SIGRTMIN + 7; }

void Pause(int) {
  const int saved = errno;
  ++stops;
  Sleep(pause_ns);
  errno = saved;
}

std::vector<pid_t> OtherThreads() {
  std::vector<pid_t> threads;
  DIR* folder = opendir("/proc/self/task");
  if (folder == nullptr) return threads;
  while (const dirent* entry = readdir(folder)) {
    const auto id = static_cast<pid_t>(strtol(entry->d_name, nullptr, 10));
    if (id > 0 && id != gettid()) threads.push_back(id);
  }
  closedir(folder);
  return threads;
}

// One write of a fixed width: a program that ends in the middle leaves the last count whole.
[[gnu::destructor]] void Report() {
  const char* name = getenv("RHUMB_SHAKE_COUNT");
  const int file = name != nullptr ? open(name, O_WRONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  char line[32];
  const int size = snprintf(line, sizeof line, "%20ld\n", stops.load());
  if (pwrite(file, line, static_cast<std::size_t>(size), 0) != size) abort();
  close(file);
}

void* Shake(void*) {
  std::mt19937 draw(static_cast<std::uint32_t>(strtoul(getenv("RHUMB_SHAKE"), nullptr, 10)));
  for (;;) {
    Sleep(static_cast<long>(draw() % kMaxGapNs));
    const std::vector<pid_t> threads = OtherThreads();
    if (threads.empty()) continue;
    pause_ns = static_cast<long>(draw() % kMaxPauseNs);
    syscall(SYS_tgkill, getpid(), threads[draw() % threads.size()], Signal());
    Report();
  }
}

[[gnu::constructor]] void Install() {
  if (getenv("RHUMB_SHAKE") == nullptr) return;
  struct sigaction action = {};
  action.sa_handler = Pause;
  action.sa_flags = SA_RESTART;
  sigaction(Signal(), &action, nullptr);
  // The shaking thread gets none of the program's signals.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  pthread_create(&thread, nullptr, Shake, nullptr);
  pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace
