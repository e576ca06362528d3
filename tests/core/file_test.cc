#include "rhumb/core/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/core/error_expectation.h"
#include "tests/core/scratch_folder.h"
#include "tests/core/small_disk.h"

namespace rhumb::core {
namespace {

using testing::EndsWith;
using testing::UnorderedElementsAre;

TEST(ReadFile, GivesAllBytesWithinTheLimit) {
  const ScratchFolder folder;
  const auto path = folder.Write("a", std::string("1\0\n4", 4));
  EXPECT_EQ(ReadFile(path, 4), std::string("1\0\n4", 4));
  EXPECT_THAT(ErrorOf([&] { ReadFile(path, 3); }), EndsWith("a: 4 bytes, at most 3 are allowed"));
}

TEST(ReadFile, WhatIsNoFileIsAnError) {
  const ScratchFolder folder;
  EXPECT_THAT(ErrorOf([&] { ReadFile(folder.path() / "none", 1); }),
              EndsWith("none: No such file or directory"));
  EXPECT_THAT(ErrorOf([&] { ReadFile(folder.path(), 1 << 20); }), EndsWith("not a regular file"));
  EXPECT_THAT(ErrorOf([&] { ReadFile("/dev/zero", 1); }), EndsWith("not a regular file"));
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(ErrorOf([&] { ReadFile(pipe, 1); }), EndsWith("not a regular file"));
}

TEST(WriteFileAtomically, MakesAndReplacesAndLeavesNothingElse) {
  const ScratchFolder folder;
  const auto path = folder.path() / "a";
  WriteFileAtomically(path, "one");
  EXPECT_EQ(Contents(path), "one");
  WriteFileAtomically(path, "two and more");
  EXPECT_EQ(Contents(path), "two and more");
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a"));
}

TEST(WriteFileAtomically, OnAFullDiskTheOldFileStays) {
  const ScratchFolder folder;
  const SmallDisk disk(folder.path());
  const auto path = folder.path() / "a";
  WriteFileAtomically(path, "old");
  EXPECT_THAT(ErrorOf([&] { WriteFileAtomically(path, std::string(1 << 20, 'x')); }),
              testing::ContainsRegex("^cannot write .*/a: (No space left|File too large)"));
  EXPECT_EQ(Contents(path), "old");
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a"));
}

TEST(WriteFileAtomically, InAReadOnlyFolderTheOldFileStays) {
  const ScratchFolder folder;
  const auto path = folder.path() / "a";
  WriteFileAtomically(path, "old");
  {
    const ReadOnlyFolder read_only(folder.path());
    EXPECT_THAT(ErrorOf([&] { WriteFileAtomically(path, "new"); }),
                EndsWith("/a: Permission denied"));
  }
  EXPECT_EQ(Contents(path), "old");
}

TEST(WriteFileAtomically, CannotReplaceAFolderOrLandInNone) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  EXPECT_THAT(ErrorOf([&] { WriteFileAtomically(folder.path() / "sub", "x"); }),
              EndsWith("/sub: Is a directory"));
  EXPECT_THAT(ErrorOf([&] { WriteFileAtomically(folder.path() / "none" / "a", "x"); }),
              EndsWith("/none/a: No such file or directory"));
  EXPECT_THAT(folder.List(), UnorderedElementsAre("sub"));
}

RC_GTEST_PROP(WriteFileAtomically, ReadFileGivesItBack, (const std::string& bytes)) {
  const ScratchFolder folder;
  WriteFileAtomically(folder.path() / "a", bytes);
  RC_ASSERT(ReadFile(folder.path() / "a", bytes.size()) == bytes);
}

}  // namespace
}  // namespace rhumb::core
