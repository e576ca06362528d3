#include "rhumb/serve/page_files.h"

#include <gmock/gmock.h>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::serve {
namespace {

TEST(PageFiles, KnowsWhatItReadAndNothingElse) {
  const test::ScratchFolder folder;
  std::filesystem::create_directories(folder.path() / "page/assets");
  folder.Write("secret.txt", "no");
  folder.Write("page/index.html", "<p>");
  folder.Write("page/assets/a.js", "1");
  std::filesystem::create_symlink(folder.path() / "secret.txt", folder.path() / "page/link.txt");
  const PageFiles files(folder.path() / "page");
  EXPECT_EQ(files.Find("/")->bytes, "<p>");
  EXPECT_EQ(files.Find("/")->type, "text/html; charset=utf-8");
  EXPECT_FALSE(files.Find("/")->lasting);
  EXPECT_EQ(files.Find("/assets/a.js")->type, "text/javascript; charset=utf-8");
  EXPECT_TRUE(files.Find("/assets/a.js")->lasting);
  EXPECT_NE(files.Find("/assets/a.js")->etag, files.Find("/")->etag);
  for (const char* path : {"", "/assets", "/assets/", "/link.txt", "/../secret.txt",
                           "/assets/../../secret.txt", "//index.html", "/index.html/"}) {
    EXPECT_EQ(files.Find(path), nullptr) << path;
  }
  EXPECT_TRUE(PageFiles(folder.path() / "none").empty());
}

// Else the page would be missing without a reason.
TEST(PageFiles, AFolderThatCannotBeReadIsNotAnEmptyOne) {
  const test::ScratchFolder folder;
  folder.Write("file", "");
  EXPECT_THAT(test::ErrorOf([&] { PageFiles(folder.path() / "file"); }),
              testing::EndsWith("file: Not a directory"));
}

}  // namespace
}  // namespace rhumb::serve
