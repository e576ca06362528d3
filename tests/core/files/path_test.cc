#include "rhumb/core/files/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

namespace fs = std::filesystem;

class ResolveInsideTest : public testing::Test {
 protected:
  ResolveInsideTest() {
    fs::create_directories(inside_ / "sub");
    folder_.Write("secret", "");
    folder_.Write("inside/sub/robot.xml", "");
  }
  std::string MessageOf(const std::string& relative) const {
    return test::ErrorOf([&] { ResolveInside(inside_, relative, "a.toml: model"); });
  }

  test::ScratchFolder folder_;
  fs::path inside_ = folder_.path() / "inside";
};

TEST_F(ResolveInsideTest, GivesTheCanonicalPath) {
  EXPECT_EQ(ResolveInside(inside_, "sub/./robot.xml", "here"),
            fs::canonical(inside_ / "sub/robot.xml"));
  EXPECT_EQ(ResolveInside(inside_ / "sub" / "..", "sub", "here"), fs::canonical(inside_ / "sub"));
}

TEST_F(ResolveInsideTest, RefusesWaysOut) {
  EXPECT_EQ(MessageOf("../secret"),
            "a.toml: model: the path '../secret' has '..' in it; it must stay inside its folder");
  EXPECT_THAT(MessageOf("sub/../sub/robot.xml"), testing::HasSubstr("has '..' in it"));
  EXPECT_EQ(MessageOf("/etc/passwd"),
            "a.toml: model: the path '/etc/passwd' is absolute; write it relative to its folder");
  EXPECT_THAT(MessageOf(""), testing::HasSubstr("is empty"));
  EXPECT_THAT(MessageOf(std::string("sub\0/../..", 10)), testing::HasSubstr("NUL"));
}

TEST_F(ResolveInsideTest, RefusesLinksThatLeaveAndFollowsThoseThatStay) {
  fs::create_symlink("../secret", inside_ / "out");
  fs::create_symlink(folder_.path(), inside_ / "up");
  fs::create_symlink("sub/robot.xml", inside_ / "in");
  EXPECT_THAT(MessageOf("out"), testing::HasSubstr("'out' leads through a symbolic link to "));
  EXPECT_THAT(MessageOf("up/secret"), testing::HasSubstr("outside"));
  EXPECT_EQ(ResolveInside(inside_, "in", "here"), fs::canonical(inside_ / "sub/robot.xml"));
}

TEST_F(ResolveInsideTest, AFolderWhoseNameBeginsTheSameIsOutside) {
  fs::create_directory(folder_.path() / "inside2");
  folder_.Write("inside2/x", "");
  fs::create_symlink(folder_.path() / "inside2/x", inside_ / "x");
  EXPECT_THAT(MessageOf("x"), testing::HasSubstr("outside"));
}

TEST_F(ResolveInsideTest, MissingFilesAreSaidToBeMissing) {
  const std::string root = fs::canonical(inside_).string();
  EXPECT_EQ(MessageOf("none.xml"), "a.toml: model: 'none.xml' does not exist in " + root);
  EXPECT_EQ(MessageOf("sub/robot.xml/x"),
            "a.toml: model: 'sub/robot.xml/x' does not exist in " + root);
  fs::create_symlink("loop", inside_ / "loop");
  EXPECT_THAT(MessageOf("loop"), testing::HasSubstr("cannot be read: Too many levels"));
  EXPECT_THAT(test::ErrorOf([&] { ResolveInside(folder_.path() / "none", "a", "here"); }),
              testing::HasSubstr("none cannot be read"));
}

}  // namespace
}  // namespace rhumb::core
