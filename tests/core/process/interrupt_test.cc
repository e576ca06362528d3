#include "rhumb/core/process/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rhumb::core {
namespace {

// Runs `action` in a child and returns its exit code, or minus the signal that ended it.
template <class Action>
int EndOf(Action action) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(Interrupt, TheFirstIsNotedAndTheSecondEndsTheProcess) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EQ(EndOf([&] {
                CatchInterrupts();
                if (WasInterrupted()) return 1;
                ::raise(signal);
                return WasInterrupted() ? 7 : 2;
              }),
              7);
    EXPECT_EQ(EndOf([&] {
                CatchInterrupts();
                ::raise(signal);
                ::raise(signal);
                return 1;
              }),
              -signal);
  }
}

TEST(Interrupt, AHeldOneComesWhenItIsCaught) {
  EXPECT_EQ(EndOf([] {
              HoldInterrupts();
              ::raise(SIGTERM);
              if (WasInterrupted()) return 1;
              CatchInterrupts();
              return WasInterrupted() ? 7 : 2;
            }),
            7);
}

TEST(Interrupt, UncaughtItEndsTheProcessAsUsual) {
  EXPECT_EQ(EndOf([] {
              ::raise(SIGTERM);
              return 1;
            }),
            -SIGTERM);
}

}  // namespace
}  // namespace rhumb::core
