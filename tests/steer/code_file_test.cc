#include "rhumb/steer/code_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::steer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CodeFile : public testing::Test {
 protected:
  StoredCode Read(const std::string& text, int answer = 1) const {
    return ReadCode(folder_.Write("c.json", text), model_, answer);
  }
  std::string Complaint(const std::string& text, int answer = 1) const {
    return test::ErrorOf([&] { Read(text, answer); });
  }

  const test::ScratchFolder folder_;
  const net::Model model_ = net::SampleModel();  // codes of 6 numbers
};

TEST_F(CodeFile, HoldsACodeOrAnswers) {
  const StoredCode alone = Read(R"({"code": [1, 2.5, 0, 0, 0, 9]})");
  EXPECT_THAT(alone.code, ElementsAre(1, 2.5f, 0, 0, 0, 9));
  EXPECT_EQ(alone.mode, std::nullopt);
  EXPECT_EQ(alone.nearest_of, "");
  const std::string answers =
      R"({"mode": "mean", "answers": [{"code": [1, 2, 0, 0, 0, 0]}, {"code": [3, 4, 0, 0, 0, 0]}]})";
  EXPECT_THAT(Read(answers).code, ElementsAre(1, 2, 0, 0, 0, 0));
  EXPECT_THAT(Read(answers, 2).code, ElementsAre(3, 4, 0, 0, 0, 0));
  EXPECT_EQ(Read(answers).mode, net::RolloutMode::kMean);
}

TEST_F(CodeFile, HoldsTheNearestBehaviourWithoutAnswers) {
  const StoredCode nearest = Read(
      R"({"status": "infeasible", "answers": [], "infeasibility": {"code": [1, 2, 3, 4, 5, 6]}})");
  EXPECT_THAT(nearest.code, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(nearest.nearest_of, "infeasible");
}

TEST_F(CodeFile, KnowsItsModel) {
  const std::string file = R"({{"code": [1, 2, 0, 0, 0, 0], "model": "m", "model_hash": "{}"}})";
  EXPECT_THAT(Read(fmt::format(fmt::runtime(file), net::HashOfCodes(model_))).code,
              ElementsAre(1, 2, 0, 0, 0, 0));
  const net::Model other = net::SampleModel({.seed = 2});
  EXPECT_THAT(Complaint(fmt::format(fmt::runtime(file), net::HashOfCodes(other))),
              HasSubstr("c.json has a code of another model, 'm'; codes mean nothing to the"));
}

TEST_F(CodeFile, OtherContentsAreErrors) {
  EXPECT_THAT(Complaint(R"({"cod": [1, 2]})"), HasSubstr("c.json: code is missing"));
  EXPECT_THAT(Complaint(R"({"code": [1, 2]})", 2), HasSubstr("there is no answer 2"));
  EXPECT_THAT(Complaint(R"({"code": [1]})"), HasSubstr("c.json: code"));
  EXPECT_THAT(Complaint(R"({"code": [1, 2, 3, 4, 5, null]})"), HasSubstr("c.json: code"));
  EXPECT_THAT(Complaint(R"({"answers": 3})"), HasSubstr("'answers' must be a list"));
  EXPECT_THAT(Complaint(R"({"answers": [{}]})"), HasSubstr("answers[0].code is missing"));
  EXPECT_THAT(Complaint(R"({"answers": [{"code": [1, 2]}]})", 2),
              HasSubstr("has the answers 1 to 1, not 2"));
  EXPECT_THAT(Complaint(R"({"answers": [], "status": "infeasible"})"),
              HasSubstr("has no answer; its status is 'infeasible'"));
  EXPECT_THAT(Complaint(R"({"code": [1], "mode": 3})"), HasSubstr("'mode' is 3, not a text"));
  EXPECT_THAT(Complaint(R"({"code": [1], "mode": "fast"})"), HasSubstr("fast"));
  EXPECT_THAT(Complaint(R"({"code": [1], "model_hash": []})"), HasSubstr("'model_hash'"));
}

}  // namespace
}  // namespace rhumb::steer
