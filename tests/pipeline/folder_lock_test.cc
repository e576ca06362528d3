#include "rhumb/pipeline/folder_lock.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::pipeline {
namespace {

// Whether another process could take the lock.
bool IsFree(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return is_free;
}

TEST(FolderLock, IsHeldUntilItGoes) {
  const test::ScratchFolder folder;
  {
    const FolderLock lock(folder.path());
    EXPECT_FALSE(IsFree(folder.path()));
  }
  EXPECT_TRUE(IsFree(folder.path()));
  EXPECT_THAT(folder.List(), testing::IsEmpty());
}

TEST(FolderLock, IsHeldByAProgramThatWasStartedMeanwhile) {
  const test::ScratchFolder folder;
  auto lock = std::make_unique<FolderLock>(folder.path());
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/sleep", "sleep", "600", nullptr);
    ::_exit(127);
  }
  lock.reset();
  EXPECT_FALSE(IsFree(folder.path()));
  std::future<void> next = std::async(std::launch::async, [&] { FolderLock{folder.path()}; });
  EXPECT_EQ(next.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  next.get();
  EXPECT_TRUE(IsFree(folder.path()));
}

TEST(FolderLock, AFolderThatIsNotThereIsAnError) {
  const test::ScratchFolder folder;
  const std::string error = test::ErrorOf([&] { FolderLock{folder.path() / "absent"}; });
  EXPECT_THAT(error, testing::HasSubstr("absent: No such file"));
}

TEST(FolderLock, ThoseWhoShareExcludeOnlyTheOneWhoDoesNot) {
  const test::ScratchFolder folder;
  auto first = std::make_unique<FolderLock>(folder.path(), Sharing::kWithOthers);
  const FolderLock second(folder.path(), Sharing::kWithOthers);
  first.reset();
  EXPECT_FALSE(IsFree(folder.path()));
}

TEST(OutputLock, IsOfOneOutput) {
  const test::ScratchFolder folder;
  const auto file = folder.Write("run.json", "{}");
  auto lock = std::make_unique<OutputLock>(file, "models/a");
  { const OutputLock other(file, "models/b"); }
  std::future<void> next = std::async(std::launch::async, [&] { OutputLock{file, "models/a"}; });
  EXPECT_EQ(next.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  lock.reset();
  next.get();
  EXPECT_EQ(test::Contents(file), "{}");
  const std::string error = test::ErrorOf([&] { OutputLock{folder.path() / "absent", "a"}; });
  EXPECT_THAT(error, testing::HasSubstr("absent: No such file"));
}

}  // namespace
}  // namespace rhumb::pipeline
