#include "rhumb/report/stamped_output.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/report/shell_python.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::report {
namespace {

class StampedOutputTest : public testing::Test {
 protected:
  StampedOutput OutputOf(const std::string& hash) const {
    return StampedOutput({folder_.path() / "a", folder_.path() / "b"}, folder_.path() / "stamp",
                         hash);
  }
  bool Make(const StampedOutput& output) const { return output.Make("model.py", "picture", {}); }

  const test::ScratchFolder folder_;
  const ShellPython python_{"echo 1 > \"$3\"; echo 2 > \"$4\""};
};

TEST_F(StampedOutputTest, IsUpToDateForItsOwnInputsOnly) {
  const StampedOutput output = OutputOf("h1");
  EXPECT_FALSE(output.IsUpToDate());
  EXPECT_TRUE(Make(output));
  EXPECT_TRUE(output.IsUpToDate());
  EXPECT_FALSE(OutputOf("h2").IsUpToDate());
  std::filesystem::remove(folder_.path() / "b");
  EXPECT_FALSE(output.IsUpToDate()) << "a file is missing";
}

TEST_F(StampedOutputTest, AFailureLeavesNoStamp) {
  python_.Use("exit 1");
  EXPECT_FALSE(Make(OutputOf("h1")));
  EXPECT_THAT(folder_.List(), testing::IsEmpty());
}

TEST_F(StampedOutputTest, RemoveLeavesNothing) {
  Make(OutputOf("h1"));
  OutputOf("h2").Remove();
  EXPECT_THAT(folder_.List(), testing::IsEmpty());
  OutputOf("h2").Remove();  // nothing is left to remove
}

}  // namespace
}  // namespace rhumb::report
