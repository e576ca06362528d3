#include "rhumb/zoo/model_place.h"

#include <gmock/gmock.h>

#include "tests/support/error_expectation.h"
#include "tests/support/other_installation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::zoo {
namespace {

namespace fs = std::filesystem;
using test::ErrorOf;
using testing::HasSubstr;

// The build copies the zoo beside the binaries.
TEST(ModelPlace, NamesAreFoldersOfTheZoo) {
  const std::vector<std::string> names = ZooNames();
  EXPECT_THAT(names, testing::Contains("halfcheetah"));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(FindModel("halfcheetah"), ZooFolder() / "halfcheetah");
}

TEST(ModelPlace, AFolderWinsOverAName) {
  const test::ScratchFolder scratch;
  const fs::path before = fs::current_path();
  fs::create_directory(scratch.path() / "halfcheetah");
  fs::current_path(scratch.path());
  EXPECT_EQ(FindModel("halfcheetah"), "halfcheetah");
  fs::current_path(before);
}

// Reading a path that does not exist gives the better message.
TEST(ModelPlace, PathsAreLeftAlone) {
  EXPECT_EQ(FindModel("nowhere/halfcheetah"), "nowhere/halfcheetah");
  EXPECT_EQ(FindModel(""), "");
}

TEST(ModelPlace, OtherWordsAreErrors) {
  EXPECT_THAT(ErrorOf([] { FindModel("halfcheta"); }), HasSubstr("did you mean 'halfcheetah'?"));
}

// Else a name of the zoo would be called unknown.
TEST(ModelPlace, AZooThatCannotBeReadIsNotAnEmptyOne) {
  const test::ScratchFolder scratch;
  const test::OtherInstallation installation(scratch.path());
  EXPECT_THAT(ZooNames(), testing::IsEmpty());
  fs::create_directories(ZooFolder().parent_path());
  scratch.Write("share/rhumb/zoo", "");
  EXPECT_THAT(ErrorOf([] { FindModel("halfcheetah"); }), testing::EndsWith("zoo: Not a directory"));
}

TEST(ModelPlace, OnlyZooModelsNeedAnOutput) {
  const test::ScratchFolder scratch;
  const std::string own = scratch.path();
  EXPECT_EQ(ChooseOutput(own, ""), own);
  EXPECT_EQ(ChooseOutput(own, "new"), "new");
  EXPECT_EQ(ChooseOutput("halfcheetah", "new"), "new");
  for (const std::string& model :
       {std::string("halfcheetah"), (ZooFolder() / "halfcheetah").string()}) {
    EXPECT_THAT(ErrorOf([&] { ChooseOutput(model, ""); }), HasSubstr("choose an output folder"));
  }
}

}  // namespace
}  // namespace rhumb::zoo
