#include "rhumb/core/process/interrupt.h"

#include <signal.h>

#include <atomic>
#include <csignal>

namespace rhumb::core {
namespace {

std::atomic<bool> was_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void NoteInterrupt(int signal) {
  was_interrupted = true;
  std::signal(signal, SIG_DFL);
}

void SetMask(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&signals, signal);
  pthread_sigmask(how, &signals, nullptr);
}

}  // namespace

void CatchInterrupts() {
  std::signal(SIGINT, NoteInterrupt);
  std::signal(SIGTERM, NoteInterrupt);
  SetMask(SIG_UNBLOCK);
}

void HoldInterrupts() { SetMask(SIG_BLOCK); }

bool WasInterrupted() { return was_interrupted; }

}  // namespace rhumb::core
