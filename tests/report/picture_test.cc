#include "rhumb/report/picture.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "tests/report/shell_python.h"
#include "tests/support/error_expectation.h"
#include "tests/support/other_installation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::report {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

const nlohmann::json kDocument = {{"x", 1}};

class Picture : public testing::Test {
 protected:
  bool Run() const {
    return RunScript("model.py", "picture", kDocument,
                     {folder_.path() / "a.png", folder_.path() / "a.svg"});
  }

  const test::ScratchFolder folder_;
  const ShellPython python_{"cat \"$2\" > \"$3\"; basename \"$1\" > \"$4\""};
};

TEST_F(Picture, TheScriptReadsTheDocumentAndWritesTheOutputs) {
  EXPECT_TRUE(Run());
  EXPECT_EQ(test::Contents(folder_.path() / "a.png"), "{\"x\":1}");
  EXPECT_EQ(test::Contents(folder_.path() / "a.svg"), "model.py\n");
  EXPECT_THAT(folder_.List(), UnorderedElementsAre("a.png", "a.svg"));
}

TEST_F(Picture, AScriptThatFailsLeavesNothing) {
  python_.Use("echo half > \"$3\"; echo half > \"$4\"; exit 1");
  EXPECT_FALSE(Run());
  EXPECT_THAT(folder_.List(), IsEmpty());
}

TEST_F(Picture, WithoutPythonThereIsNone) {
  EXPECT_TRUE(CanRunScripts("picture"));
  python_.UseNone();
  EXPECT_FALSE(CanRunScripts("picture"));
  EXPECT_FALSE(Run());
  EXPECT_THAT(folder_.List(), IsEmpty());
}

TEST_F(Picture, AnUnknownScriptIsNotRun) {
  EXPECT_FALSE(DrawPicture("nothing.py", kDocument, folder_.path() / "a.png"));
  EXPECT_THAT(folder_.List(), IsEmpty());
}

// In a process of its own, since an interrupt is not forgotten.
TEST_F(Picture, AfterAnInterruptNoScriptStarts) {
  python_.Use("touch '" + (folder_.path() / "started").string() + "'");
  EXPECT_EXIT(
      {
        core::CatchInterrupts();
        ::raise(SIGINT);
        try {
          Run();
        } catch (const core::CommandFailed& end) {
          ::_exit(end.code);
        }
      },
      testing::ExitedWithCode(core::kInterrupted), "");
  EXPECT_THAT(folder_.List(), IsEmpty());
}

TEST(HashOfScripts, IsThatOfTheirContents) {
  EXPECT_EQ(HashOfScripts().size(), 64u);
  EXPECT_EQ(HashOfScripts(), HashOfScripts());
}

// Else a picture would be drawn again, and its stamp would name no script.
TEST(HashOfScripts, AFolderThatCannotBeReadIsNotAnEmptyOne) {
  const test::ScratchFolder scratch;
  const test::OtherInstallation installation(scratch.path());
  EXPECT_EQ(HashOfScripts().size(), 64u);
  std::filesystem::create_directories(scratch.path() / "share/rhumb");
  scratch.Write("share/rhumb/pictures", "");
  EXPECT_THAT(test::ErrorOf([] { HashOfScripts(); }),
              testing::EndsWith("pictures: Not a directory"));
}

}  // namespace
}  // namespace rhumb::report
