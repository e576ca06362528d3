#include "rhumb/core/process/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/core/process/interrupt.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

using testing::HasSubstr;

std::vector<std::string> Shell(const std::string& script) { return {"sh", "-c", script}; }

TEST(ChildProcess, TellsItsExitCode) {
  EXPECT_TRUE(ChildProcess({"true"}).Wait().ok());
  const ProcessEnd failed = ChildProcess({"false"}).Wait();
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.shell_status(), 1);
}

TEST(ChildProcess, TellsTheSignalThatEndedIt) {
  const ProcessEnd end = ChildProcess(Shell("kill -TERM $$")).Wait();
  EXPECT_FALSE(end.ok());
  EXPECT_EQ(end.signal, SIGTERM);
  EXPECT_EQ(end.shell_status(), 128 + SIGTERM);
}

TEST(ChildProcess, CapturesWhatCatCopies) {
  const CapturedRun run = RunCaptured({"cat"}, "abc");
  EXPECT_TRUE(run.end.ok());
  EXPECT_EQ(run.output, "abc");
  EXPECT_EQ(RunCaptured({"cat"}, "").output, "");
  // Also found by name, and with more data than a pipe holds.
  const std::string megabyte(1 << 20, 'x');
  EXPECT_EQ(RunCaptured({"cp", "/dev/stdin", "/dev/stdout"}, megabyte).output, megabyte);
}

TEST(ChildProcess, NoShellReadsTheWords) {
  EXPECT_EQ(RunCaptured({"printf", "%s|", "$HOME *", "", "a'b\n"}, "").output, "$HOME *||a'b\n|");
}

TEST(ChildProcess, RunsInItsFolderWithItsDescriptors) {
  const test::ScratchFolder folder;
  const int file = ::open((folder.path() / "said").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  ChildProcess child(Shell("cat; echo out; echo error >&2; pwd > where"),
                     {.folder = folder.path(), .output = file, .error = file});
  ::close(file);
  EXPECT_TRUE(child.Wait().ok());
  EXPECT_EQ(test::Contents(folder.path() / "said"), "out\nerror\n");
  EXPECT_EQ(test::Contents(folder.path() / "where"),
            std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(ChildProcess, ReadsWhatIsWritten) {
  const test::ScratchFolder folder;
  ChildProcess child(Shell("cat > copy"),
                     {.folder = folder.path(), .input = ProcessOptions::kPipe});
  const std::vector<std::uint8_t> bytes(1 << 20, 'y');
  EXPECT_TRUE(child.Write(bytes));
  EXPECT_TRUE(child.Write(bytes));
  EXPECT_TRUE(child.Wait().ok());
  EXPECT_EQ(test::Contents(folder.path() / "copy"), std::string(2 << 20, 'y'));
}

TEST(ChildProcess, WritingToOneThatHasEndedIsNoSignal) {
  ChildProcess child(Shell("exit 3"), {.input = ProcessOptions::kPipe});
  const std::vector<std::uint8_t> bytes(1 << 20);
  while (child.Write(bytes)) {
  }
  EXPECT_EQ(child.Wait().exit_code, 3);
}

TEST(ChildProcess, SaysWhatCannotBeStarted) {
  EXPECT_EQ(test::ErrorOf([] { ChildProcess({"no-such-program"}); }),
            "cannot start no-such-program: No such file or directory");
  EXPECT_EQ(test::ErrorOf([] { ChildProcess({"/"}); }), "cannot start /: Permission denied");
  EXPECT_THAT(test::ErrorOf([] { ChildProcess({"true"}, {.folder = "/no/folder"}); }),
              HasSubstr("No such file or directory"));
}

// A pipe reports when the last process with its writing end has ended.
class Presence {
 public:
  Presence() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~Presence() {
    ::close(ends_[0]);
    Leave();
  }
  int writer() const { return ends_[1]; }
  bool IsOver() {
    Leave();
    pollfd end = {.fd = ends_[0], .events = 0, .revents = 0};
    constexpr int kMilliseconds = 20'000;
    return ::poll(&end, 1, kMilliseconds) == 1 && (end.revents & POLLHUP) != 0;
  }

 private:
  void Leave() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  std::array<int, 2> ends_;
};

TEST(ChildProcess, IsKilledWithItsObject) {
  Presence presence;
  { const ChildProcess child({"sleep", "1000"}, {.output = presence.writer()}); }
  EXPECT_TRUE(presence.IsOver());
}

// These run in their own processes, because an interrupt cannot be undone.
TEST(ChildProcessDeathTest, EndsWithItsParent) {
  Presence presence;
  EXPECT_EXIT(
      {
        const ChildProcess child({"sleep", "1000"}, {.output = presence.writer()});
        ::_exit(7);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_TRUE(presence.IsOver());
}

TEST(ChildProcessDeathTest, AnInterruptIsHandedOnOnce) {
  const test::ScratchFolder folder;
  EXPECT_EXIT(
      {
        CatchInterrupts();
        ChildProcess child(Shell("trap 'echo told >> told; sleep 0.1; exit 5' INT; "
                                 "kill -INT $PPID; while true; do sleep 0.01; done"),
                           {.folder = folder.path()});
        ::_exit(child.Wait(SIGINT).shell_status());
      },
      testing::ExitedWithCode(5), "");
  EXPECT_EQ(test::Contents(folder.path() / "told"), "told\n");
}

TEST(ChildProcessDeathTest, AnInterruptBeforeTheFirstInstructionIsNotLost) {
  EXPECT_EXIT(
      {
        CatchInterrupts();
        ::raise(SIGINT);
        for (int i = 0; i < 50; ++i) {
          ChildProcess child({"sleep", "1000"});
          if (child.Wait(SIGINT).signal != SIGINT) ::_exit(1);
        }
        ::_exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(ChildProcessDeathTest, AnInterruptKillsACapturedRun) {
  EXPECT_EXIT(
      {
        CatchInterrupts();
        const CapturedRun run =
            RunCaptured(Shell("trap '' INT; echo half; kill -INT $PPID; sleep 1000"), "");
        ::_exit(run.end.signal == SIGKILL && run.output == "half\n" ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace rhumb::core
