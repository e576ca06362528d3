#include "rhumb/core/files/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

// FIPS 180-4 examples.
TEST(Sha256, AgreesWithKnownAnswers) {
  EXPECT_EQ(Sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256OfFile, IsThatOfItsBytes) {
  const test::ScratchFolder folder;
  EXPECT_EQ(Sha256OfFile(folder.Write("empty", "")), Sha256(""));
  EXPECT_EQ(Sha256OfFile(folder.Write("short", "abc")), Sha256("abc"));
  // Several pieces, the last one partial.
  std::string bytes(3 * (1 << 20) + 17, 'x');
  bytes[1 << 20] = '\0';
  EXPECT_EQ(Sha256OfFile(folder.Write("long", bytes)), Sha256(bytes));
}

TEST(Sha256OfFile, FilesThatCannotBeReadAreErrors) {
  const test::ScratchFolder folder;
  EXPECT_THAT(test::ErrorOf([&] { Sha256OfFile(folder.path() / "none"); }),
              testing::EndsWith("none: No such file or directory"));
  EXPECT_THAT(test::ErrorOf([&] { Sha256OfFile(folder.path()); }),
              testing::EndsWith("Is a directory"));
}

}  // namespace
}  // namespace rhumb::core
