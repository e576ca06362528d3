#include "rhumb/cli/model_verdict.h"

#include <gmock/gmock.h>

#include "tests/net/sample_model.h"

namespace rhumb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Objectives forward (standard deviation 2) and energy (3); grounded for sampled actions.
net::Model ModelWith(const nlohmann::json& metrics) {
  net::Model model = net::ModelOfSamples();
  model.metrics = std::make_shared<const nlohmann::json>(metrics);
  return model;
}

TEST(ModelVerdict, OfTheLabels) {
  net::Model model =
      ModelWith({{"head_mse",
                  {{"train", {{"forward", 0.01}, {"energy", 0.5}}},
                   {"held_out_checkpoint", {{"forward", 0.02}, {"energy", 0.98}}}}}});
  model.grounded = {};
  const std::vector<Verdict> verdicts = JudgeModel(model, net::RolloutMode::kSampled);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(Describe(verdicts[0]), "forward: good, 2 % of its variance is open");
  EXPECT_EQ(Describe(verdicts[1]),
            "energy: predicted no better than its mean, 98 % of its variance is open");
  EXPECT_THAT(Advice(verdicts), HasSubstr("train the population and the model longer"));
  EXPECT_EQ(Advice({verdicts[0]}), "");
  EXPECT_THAT(FormatVerdict(model),
              HasSubstr("returns of the training policies:\n  forward: good"));
  EXPECT_EQ(VerdictToJson(model)["labels"]["energy"]["quality"], "no better than its mean");
}

// The rolled-out values 0, 4, 0, 4, 2 have a variance of 3.2, or 0.8 label variances.
TEST(ModelVerdict, OfTheRolloutsIsRelativeToWhatTheyRealised) {
  net::Model model =
      ModelWith({{"head_mse", {{"train", {{"forward", 0.01}}}}},
                 {"grounded", {{"sampled", {{"objectives", {{"forward", {{"mse", 0.48}}}}}}}}}});
  net::CodeTable& table = model.grounded[0]->rolled_out;
  for (int row = 0; row < 5; ++row) {
    table.values[2 * static_cast<std::size_t>(row)] = row == 4 ? 2.0f : 4.0f * (row % 2);
  }
  const std::vector<Verdict> verdicts = JudgeModel(model, net::RolloutMode::kSampled);
  ASSERT_EQ(verdicts.size(), 1u) << "energy has no measurement";
  EXPECT_NEAR(verdicts[0].unexplained, 0.6, 1e-6);
  EXPECT_EQ(verdicts[0].quality, Quality::kPoor);
  EXPECT_THAT(Advice(verdicts), HasSubstr("ground more codes")) << "the labels are predicted well";
  EXPECT_THAT(FormatVerdict(model), HasSubstr("verdict, sampled actions:\n  forward: poor, 60 %"));
  EXPECT_THAT(FormatVerdict(model), Not(HasSubstr("mean actions")));
}

TEST(ModelVerdict, NothingWithoutMeasurements) {
  EXPECT_EQ(FormatVerdict(ModelWith(nlohmann::json::object())), "");
}

}  // namespace
}  // namespace rhumb::cli
