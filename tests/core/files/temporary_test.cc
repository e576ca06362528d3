#include "rhumb/core/files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <string>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

// So many of the next calls fail, as with too many open files. std::filesystem removes with openat.
static std::atomic<int> failing_openat_calls{0};
extern "C" [[gnu::visibility("default")]] int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (failing_openat_calls > 0) {
    --failing_openat_calls;
    errno = EMFILE;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

namespace rhumb::core {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::UnorderedElementsAre;

TEST(Temporary, IsRemovedUnlessMoved) {
  const test::ScratchFolder folder;
  {
    const Temporary file = Temporary::MakeFile(folder.path() / "a");
    const Temporary other = Temporary::MakeFolder(folder.path() / "b");
    EXPECT_EQ(folder.List().size(), 2u);
    EXPECT_TRUE(fs::is_directory(other.path()));
  }
  EXPECT_THAT(folder.List(), UnorderedElementsAre());
  {
    Temporary file = Temporary::MakeFile(folder.path() / "a");
    file.MoveToFinal();
  }
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a"));
}

TEST(Temporary, AFolderDoesNotReplaceAFullOneUnlessSwapped) {
  const test::ScratchFolder folder;
  fs::create_directory(folder.path() / "a");
  folder.Write("a/old", "");
  Temporary fresh = Temporary::MakeFolder(folder.path() / "a/");
  fs::create_directory(fresh.path() / "new");
  EXPECT_THAT(test::ErrorOf([&] { fresh.MoveToFinal(); }), EndsWith("/a: Directory not empty"));
  EXPECT_TRUE(fs::exists(folder.path() / "a/old"));
  fresh.SwapWithFinal();
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a"));
  EXPECT_FALSE(fs::exists(folder.path() / "a/old"));
  EXPECT_TRUE(fs::exists(folder.path() / "a/new"));
}

TEST(Temporary, NothingIsLeftIfAFolderCannotBeOpenedAtFirst) {
  const test::ScratchFolder folder;
  fs::create_directory(folder.path() / "a");
  folder.Write("a/old", "");
  {
    Temporary fresh = Temporary::MakeFolder(folder.path() / "a");
    failing_openat_calls = 1;
    fresh.SwapWithFinal();
  }
  EXPECT_EQ(failing_openat_calls, 0);
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a"));
  failing_openat_calls = 0;
}

TEST(Temporary, PathsThatNameNothingAreErrors) {
  EXPECT_EQ(test::ErrorOf([] { Temporary::MakeFile("/"); }),
            "cannot write '/': it does not name a file");
  EXPECT_EQ(test::ErrorOf([] { Temporary::MakeFolder(""); }),
            "cannot write '': it does not name a file");
}

TEST(Temporary, WhatAKilledProcessLeftIsRemovedAndWhatALiveOneHoldsIsNot) {
  const test::ScratchFolder folder;
  const fs::path path = folder.path() / "a";
  const pid_t child = ::fork();
  if (child == 0) {
    const Temporary file = Temporary::MakeFile(path);
    const Temporary dir = Temporary::MakeFolder(path);
    fs::create_directory(dir.path() / "sub");
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(folder.List().size(), 2u);
  const Temporary other = Temporary::MakeFile(folder.path() / "b");
  EXPECT_EQ(folder.List().size(), 3u);  // belongs to another path and stays
  const Temporary first = Temporary::MakeFolder(path);
  const Temporary second = Temporary::MakeFolder(path);
  EXPECT_THAT(folder.List(), UnorderedElementsAre(other.path().filename(), first.path().filename(),
                                                  second.path().filename()));
}

TEST(Temporary, OnlyItsOwnNamesAreCleanedUp) {
  const test::ScratchFolder folder;
  for (const char* name : {".a.tmp-precious", ".a.tmp-1-2-3", ".a.tmp-12", ".a.tmp-1-", ".a.tmp--1",
                           ".a.tmp-1-2x", ".ab.tmp-1-2"}) {
    folder.Write(name, "");
  }
  folder.Write(".a.tmp-1-2", "");
  const Temporary file = Temporary::MakeFile(folder.path() / "a");
  EXPECT_EQ(folder.List().size(), 8u);
  EXPECT_FALSE(fs::exists(folder.path() / ".a.tmp-1-2"));
}

TEST(Temporary, WhatOthersMadeIsNotCleanedUp) {
  const test::ScratchFolder folder;
  folder.Write("file", "precious");
  fs::create_symlink("file", folder.path() / ".a.tmp-1-1");
  ASSERT_EQ(::mkfifo((folder.path() / ".a.tmp-1-2").c_str(), 0600), 0);
  folder.Write(".a.tmp-1-3", "");
  const bool is_theirs = ::chown((folder.path() / ".a.tmp-1-3").c_str(), 4321, 4321) == 0;
  const Temporary file = Temporary::MakeFile(folder.path() / "a");
  EXPECT_TRUE(fs::is_symlink(folder.path() / ".a.tmp-1-1"));
  EXPECT_TRUE(fs::is_fifo(folder.path() / ".a.tmp-1-2"));
  EXPECT_EQ(fs::exists(folder.path() / ".a.tmp-1-3"), is_theirs);
  EXPECT_EQ(test::Contents(folder.path() / "file"), "precious");
}

TEST(Temporary, AFileReplacesOnlyAFileEvenIfItAppearsLater) {
  const test::ScratchFolder folder;
  Temporary file = Temporary::MakeFile(folder.path() / "a");
  ASSERT_EQ(::mkfifo((folder.path() / "a").c_str(), 0600), 0);
  EXPECT_THAT(test::ErrorOf([&] { file.MoveToFinal(); }),
              EndsWith("/a: a pipe is there; choose another path"));
  EXPECT_TRUE(fs::is_fifo(folder.path() / "a"));
}

TEST(RemoveFolderAtOnce, KilledAtAnyMomentItIsWholeOrGone) {
  const test::ScratchFolder folder;
  const fs::path path = folder.path() / "a";
  RemoveFolderAtOnce(path);  // does not exist
  constexpr int kFiles = 200;
  int removed = 0;
  for (int round = 0; round < 40; ++round) {
    fs::create_directory(path);
    for (int i = 0; i < kFiles; ++i) folder.Write("a/" + std::to_string(i), "");
    const pid_t child = ::fork();
    if (child == 0) {
      RemoveFolderAtOnce(path);
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(50 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    removed += fs::exists(path) ? 0 : 1;
    if (fs::exists(path)) {
      EXPECT_EQ(std::distance(fs::directory_iterator(path), {}), kFiles);
    }
    RemoveFolderAtOnce(path);
  }
  EXPECT_GT(removed, 0);
  fs::create_directory(path);
  RemoveFolderAtOnce(path);
  EXPECT_THAT(folder.List(), UnorderedElementsAre());
}

}  // namespace
}  // namespace rhumb::core
