#include "rhumb/core/files/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/small_disk.h"

namespace rhumb::core {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
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
                HasSubstr("cannot write "));
    EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(folder.path() / "b", "new"); }),
                EndsWith("/b: Permission denied"));
  }
  EXPECT_EQ(test::Contents(path), "old");
}

TEST(WriteFileAtomically, CannotReplaceAFolderOrLandInNone) {
  const test::ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(folder.path() / "sub", "x"); }),
              EndsWith("/sub: a folder is there; choose another path"));
  EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(folder.path() / "none" / "a", "x"); }),
              EndsWith("/none/a: No such file or directory"));
  EXPECT_THAT(folder.List(), UnorderedElementsAre("sub"));
}

// Outputs that a hostile or careless hand put in the way. None of them is replaced, followed or
// written to, and none blocks.
TEST(WriteFileAtomically, HostileOutputsAreRefused) {
  namespace fs = std::filesystem;
  const test::ScratchFolder folder;
  const fs::path path = folder.path();
  folder.Write("file", "precious");
  folder.Write("theirs", "precious");
  fs::create_directory(path / "sub");
  for (const auto& [link, target] : {std::pair("link", "file"),
                                     {"chain", "link"},
                                     {"dangling", "nothing"},
                                     {"loop", "loop"},
                                     {"to_folder", "sub"},
                                     {"null", "/dev/null"},
                                     {"full", "/dev/full"},
                                     {"output", "/dev/stdout"}}) {
    fs::create_symlink(target, path / link);
  }
  ASSERT_EQ(::mkfifo((path / "pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mknod((path / "socket").c_str(), S_IFSOCK | 0600, 0), 0);
  std::map<std::string, std::string> reasons = {
      {"link", "a symbolic link is there"},
      {"chain", "a symbolic link is there"},
      {"dangling", "a symbolic link is there"},
      {"loop", "a symbolic link is there"},
      {"to_folder", "a symbolic link is there"},
      {"null", "a symbolic link is there"},
      {"full", "a symbolic link is there"},
      {"output", "a symbolic link is there"},
      {"pipe", "a pipe is there"},
      {"socket", "a socket is there"},
      {"sub", "a folder is there"},
      {"sub/", "a folder is there"},
      {"file/x", "Not a directory"},
      {"none/x", "No such file or directory"},
  };
  // Only root can make these two.
  if (::mknod((path / "device").c_str(), S_IFCHR | 0600, ::makedev(1, 3)) == 0) {
    reasons["device"] = "a device is there";
  }
  if (::chown((path / "theirs").c_str(), 4321, 4321) == 0) {
    reasons["theirs"] = "it belongs to another user";
  }
  const auto state = [&] {
    std::map<std::string, std::vector<std::uint64_t>> found;
    for (const std::string& name : folder.List()) {
      struct stat status {};
      EXPECT_EQ(::lstat((path / name).c_str(), &status), 0);
      found[name] = {status.st_ino, status.st_mode, status.st_uid};
    }
    return found;
  };
  const auto before = state();
  EXPECT_GE(reasons.size(), 12u);
  for (const auto& [name, reason] : reasons) {
    const fs::path output = path / name;
    EXPECT_THAT(test::ErrorOf([&] { WriteFileAtomically(output, "x"); }),
                AllOf(HasSubstr("cannot write "), HasSubstr(reason)))
        << name;
  }
  EXPECT_EQ(state(), before);
  EXPECT_EQ(test::Contents(path / "file"), "precious");
  EXPECT_EQ(test::Contents(path / "theirs"), "precious");
}

RC_GTEST_PROP(WriteFileAtomically, ReadFileGivesItBack, (const std::string& bytes)) {
  const test::ScratchFolder folder;
  WriteFileAtomically(folder.path() / "a", bytes);
  RC_ASSERT(ReadFile(folder.path() / "a", bytes.size()) == bytes);
}

TEST(CopyFile, CopiesAllBytesAndReplacesNothing) {
  const test::ScratchFolder folder;
  const std::string bytes = std::string(100'000, 'x') + std::string("\0end", 4);
  const auto from = folder.Write("a", bytes);
  const auto to = folder.path() / "b";
  CopyFile(from, to);
  EXPECT_EQ(test::Contents(to), bytes);
  EXPECT_THAT(test::ErrorOf([&] { CopyFile(from, to); }), EndsWith("/b: File exists"));
  EXPECT_THAT(test::ErrorOf([&] { CopyFile(folder.path() / "none", folder.path() / "c"); }),
              EndsWith("none: No such file or directory"));
}

TEST(CopyFile, AFullDiskIsNamed) {
  const test::ScratchFolder large, folder;
  const auto from = large.Write("a", std::string(1 << 20, 'x'));
  const test::SmallDisk disk(folder.path());
  EXPECT_THAT(test::ErrorOf([&] { CopyFile(from, folder.path() / "b"); }),
              testing::ContainsRegex("^cannot write .*/b: (No space left|File too large)"));
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
