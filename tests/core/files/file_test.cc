#include "rhumb/core/files/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/small_disk.h"

namespace rhumb::core {
namespace {

using testing::EndsWith;
using testing::UnorderedElementsAre;

TEST(ReadFile, GivesAllBytesWithinTheLimit) {
  const test::ScratchFolder folder;
  const auto path = folder.Write("a", std::string("1\0\n4", 4));
  EXPECT_EQ(ReadFile(path, 4), std::string("1\0\n4", 4));
  EXPECT_THAT(test::ErrorOf([&] { ReadFile(path, 3); }),
              EndsWith("a: 4 bytes, at most 3 are allowed"));
}

TEST(ReadFile, WhatIsNoFileIsAnError) {
  const test::ScratchFolder folder;
  EXPECT_THAT(test::ErrorOf([&] { ReadFile(folder.path() / "none", 1); }),
              EndsWith("none: No such file or directory"));
  EXPECT_THAT(test::ErrorOf([&] { ReadFile(folder.path(), 1 << 20); }),
              EndsWith("not a regular file"));
  EXPECT_THAT(test::ErrorOf([&] { ReadFile("/dev/zero", 1); }), EndsWith("not a regular file"));
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(test::ErrorOf([&] { ReadFile(pipe, 1); }), EndsWith("not a regular file"));
}

TEST(WriteFileAtomically, MakesAndReplacesAndLeavesNothingElse) {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a";
  WriteFileAtomically(path, "one");
  EXPECT_EQ(test::Contents(path), "one");
  WriteFileAtomically(path, "two and more");
  EXPECT_EQ(test::Contents(path), "two and more");
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a"));
}

TEST(WriteFileAtomically, OnAFullDiskTheOldFileStays) {
  const test::ScratchFolder folder;
  const test::SmallDisk disk(folder.path());
  const auto path = folder.path() / "a";
  WriteFileAtomically(path, "old");
  EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(path, std::string(1 << 20, 'x')); }),
              testing::ContainsRegex("^cannot write .*/a: (No space left|File too large)"));
  EXPECT_EQ(test::Contents(path), "old");
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a"));
}

TEST(WriteFileAtomically, InAReadOnlyFolderTheOldFileStays) {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a";
  WriteFileAtomically(path, "old");
  {
    const test::ReadOnlyFolder read_only(folder.path());
    EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(path, "new"); }),
                EndsWith("/a: Permission denied"));
  }
  EXPECT_EQ(test::Contents(path), "old");
}

TEST(WriteFileAtomically, CannotReplaceAFolderOrLandInNone) {
  const test::ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(folder.path() / "sub", "x"); }),
              EndsWith("/sub: Is a directory"));
  EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(folder.path() / "none" / "a", "x"); }),
              EndsWith("/none/a: No such file or directory"));
  EXPECT_THAT(folder.List(), UnorderedElementsAre("sub"));
}

TEST(WriteFileAtomically, FollowsSymbolicLinks) {
  const test::ScratchFolder folder;
  namespace fs = std::filesystem;
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("sub/file", folder.path() / "link");
  fs::create_symlink("link", folder.path() / "linked");
  WriteFileAtomically(folder.path() / "linked", "new");
  EXPECT_EQ(test::Contents(folder.path() / "sub/file"), "new");
  WriteFileAtomically(folder.path() / "linked", "newer");
  EXPECT_EQ(test::Contents(folder.path() / "sub/file"), "newer");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "linked"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  fs::create_symlink("loop", folder.path() / "loop");
  EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(folder.path() / "loop", "x"); }),
              EndsWith("/loop: too many symbolic links"));
}

TEST(WriteFileAtomically, WritesToADeviceOrAPipeAndKeepsIt) {
  const test::ScratchFolder folder;
  // Use links to devices: a bug would then replace the link, not a system node.
  std::filesystem::create_symlink("/dev/null", folder.path() / "null");
  std::filesystem::create_symlink("/dev/full", folder.path() / "full");
  WriteFileAtomically(folder.path() / "null", "gone");
  EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(folder.path() / "full", "x"); }),
              EndsWith("/full: No space left on device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));

  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  WriteFileAtomically(pipe, "through");
  char text[16] = {};
  EXPECT_EQ(::read(reader, text, sizeof text), 7);
  ::close(reader);
  EXPECT_EQ(std::string(text), "through");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_THAT(folder.List(), UnorderedElementsAre("full", "null", "pipe"));
}

RC_GTEST_PROP(WriteFileAtomically, ReadFileGivesItBack, (const std::string& bytes)) {
  const test::ScratchFolder folder;
  WriteFileAtomically(folder.path() / "a", bytes);
  RC_ASSERT(ReadFile(folder.path() / "a", bytes.size()) == bytes);
}

TEST(MakeFolder, MakesParentsAndNamesAFolderThatItCannotMake) {
  const test::ScratchFolder scratch;
  MakeFolder(scratch.path() / "a/b");
  MakeFolder(scratch.path() / "a/b");
  EXPECT_TRUE(std::filesystem::is_directory(scratch.path() / "a/b"));
  const std::filesystem::path file = scratch.Write("file", "");
  EXPECT_THAT(test::ErrorOf([&] { MakeFolder(file / "folder"); }),
              testing::StartsWith("cannot make the folder " + (file / "folder").string()));
}

}  // namespace
}  // namespace rhumb::core
