#include "rhumb/cli/code_file.h"

#include <gmock/gmock.h>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CodeFile : public testing::Test {
 protected:
  std::vector<float> Read(const std::string& text, int answer = 1) const {
    return ReadCode(folder_.Write("c.json", text), 2, answer);
  }
  std::string Complaint(const std::string& text, int answer = 1) const {
    return test::ErrorOf([&] { Read(text, answer); });
  }

  const test::ScratchFolder folder_;
};

TEST_F(CodeFile, HoldsACodeOrAnswers) {
  EXPECT_THAT(Read(R"({"code": [1, 2.5]})"), ElementsAre(1, 2.5f));
  const std::string answers = R"({"answers": [{"code": [1, 2]}, {"code": [3, 4]}]})";
  EXPECT_THAT(Read(answers), ElementsAre(1, 2));
  EXPECT_THAT(Read(answers, 2), ElementsAre(3, 4));
}

TEST_F(CodeFile, OtherContentsAreErrors) {
  EXPECT_THAT(Complaint(R"({"cod": [1, 2]})"), HasSubstr("c.json: code is missing"));
  EXPECT_THAT(Complaint(R"({"code": [1, 2]})", 2), HasSubstr("--answer 2"));
  EXPECT_THAT(Complaint(R"({"code": [1]})"), HasSubstr("c.json: code"));
  EXPECT_THAT(Complaint(R"({"code": [1, null]})"), HasSubstr("c.json: code"));
  EXPECT_THAT(Complaint(R"({"answers": 3})"), HasSubstr("'answers' must be a list"));
  EXPECT_THAT(Complaint(R"({"answers": [{}]})"), HasSubstr("answers[0].code is missing"));
  EXPECT_THAT(Complaint(R"({"answers": [{"code": [1, 2]}]})", 2),
              HasSubstr("has the answers 1 to 1"));
  EXPECT_THAT(Complaint(R"({"answers": [], "status": "infeasible"})"),
              HasSubstr("has no answer; its status is 'infeasible'"));
}

}  // namespace
}  // namespace rhumb::cli
