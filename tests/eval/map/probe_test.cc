#include "rhumb/eval/map/probe.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/data/sample_dataset.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using data::Split;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

// Codes 0 and 2. The probe predicts the first label as 2 h + 1, the second as 2, the third as h.
TEST(Probe, ScoreByHand) {
  const std::vector<double> solution = {2, 0, 1, 1, 2, 0};
  const std::vector<float> codes = {0, 2};
  const std::vector<float> labels = {1, 3, 1,   // predicted as 1, 2, 0
                                     5, 3, 5};  // predicted as 5, 2, 2
  const ProbeScore score = ScoreProbe(solution, codes, 1, labels, 3);
  EXPECT_THAT(score.mse, ElementsAre(0, 1, 5));
  // The variances are 4, 0 and 4.
  EXPECT_THAT(score.r2, ElementsAre(1, IsNan(), -0.25));
  EXPECT_DOUBLE_EQ(score.mean_mse, 2);
  EXPECT_THAT(score.mean_r2, IsNan());
}

// A policy has one constant action; its labels are linear in that action.
void WriteLinearDataset(const std::filesystem::path& folder, bool training,
                        Split last = Split::kHeldOutWeight) {
  data::DatasetWriter writer(folder, data::SampleDescription());
  const std::vector<float> actions = {0.25F, -0.5F, 1, 0.75F, -1, 0.5F};
  for (int policy = 0; policy < 6; ++policy) {
    writer.AddPolicy(data::SamplePolicy(policy, 5));
    const float action = actions[static_cast<std::size_t>(policy)];
    for (int episode = 0; episode < 2; ++episode) {
      data::Episode recorded = data::SampleEpisode(policy, 40, 0);
      for (std::size_t t = 0; t < 40; ++t) {
        recorded.actions[2 * t] = 0;
        recorded.actions[2 * t + 1] = action;
      }
      recorded.returns = {100 + 10.0 * action, -4.0 * action};
      writer.Append(recorded);
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    writer.policies()[i].split = i < 4 && training ? Split::kTrain : last;
  }
  if (training) writer.policies()[4].split = Split::kHeldOutCheckpoint;
  writer.Commit({{"seed", 0}});
}

class ProbeTest : public testing::Test {
 protected:
  ProbeTest() {
    model_.description.objectives[0].mean = 100;
    model_.description.objectives[0].std = 10;
    model_.description.objectives[1].std = 4;
  }
  const test::ScratchFolder scratch_;
  net::Model model_ = rollout::EchoModel(data::SampleDescription(), 0);
};

TEST_F(ProbeTest, ReadsLinearLabels) {
  WriteLinearDataset(scratch_.path() / "d", true);
  const data::Dataset dataset = data::Dataset::Open(scratch_.path() / "d");
  const ProbeReport report = MeasureProbe(model_, dataset, {}, 1, 2);
  EXPECT_THAT(report.labels, ElementsAre("forward", "energy"));
  // Codes are (0, action), with actions of size 0.25, 0.5, 1 and 0.75.
  EXPECT_DOUBLE_EQ(report.code_norm, 0.625);
  EXPECT_NEAR(report.code_deviation, std::exp(-10), 1e-10);
  const std::vector<std::int64_t> episodes = {8, 2, 2};
  ASSERT_EQ(report.splits.size(), episodes.size());
  for (const auto& [split, score] : report.splits) {
    EXPECT_EQ(score.episodes, episodes.at(static_cast<std::size_t>(split)));
    // The posterior adds noise of standard deviation e^-10 to the codes, and so to the predicted
    // labels.
    EXPECT_LT(score.mean_mse, 10 * std::exp(-20));
    EXPECT_LT(score.mse[1], 10 * std::exp(-20));
  }
  EXPECT_GT(report.splits.at(Split::kTrain).mean_r2, 0.999999);
  EXPECT_THAT(report.splits.at(Split::kHeldOutCheckpoint).r2[0], IsNan())
      << "one policy, one label";

  const nlohmann::json document = ToJson(report);
  EXPECT_EQ(document["splits"]["train"]["episodes"], 8);
  EXPECT_EQ(document["splits"]["held_out_weight"]["mse"].size(), 2u);
  EXPECT_EQ(nlohmann::json::parse(document.dump())["splits"]["held_out_checkpoint"]["r2"]["energy"],
            nullptr);
}

TEST_F(ProbeTest, TheHoleIsASplitOfItsOwn) {
  WriteLinearDataset(scratch_.path() / "d", true, Split::kHole);
  const data::Dataset dataset = data::Dataset::Open(scratch_.path() / "d");
  const ProbeReport report = MeasureProbe(model_, dataset, {}, 1, 2);
  EXPECT_FALSE(report.splits.contains(Split::kHeldOutWeight));
  ASSERT_TRUE(report.splits.contains(Split::kHole));
  EXPECT_EQ(ToJson(report)["splits"]["hole"]["episodes"], 2);
}

// Noise of standard deviation 1 hides most of the labels, because actions have a variance of about
// 1/3. For label y and code x = y + n, the best regression loses var(n) / (var(y) + var(n)) of the
// variance.
TEST_F(ProbeTest, NoiseInThePosteriorIsInTheCodes) {
  WriteLinearDataset(scratch_.path() / "d", true);
  const data::Dataset dataset = data::Dataset::Open(scratch_.path() / "d");
  model_.encoder = rollout::EchoModel(data::SampleDescription(), 0, 0).encoder;
  const auto measure = [&](std::uint64_t seed, int threads) {
    return MeasureProbe(model_, dataset, {.train_draws = 1000}, seed, threads);
  };
  const ProbeReport report = measure(1, 2);
  EXPECT_DOUBLE_EQ(report.code_deviation, 1);
  // Actions 0.25, -0.5, 1 and 0.75.
  const double variance = 1.875 / 4 - 0.375 * 0.375;
  // From 8000 draws, R² has a standard error of about 2 sqrt(R² / 8000).
  EXPECT_NEAR(report.splits.at(Split::kTrain).r2[0], variance / (variance + 1), 0.03);
  // Compared as text, since NaN != NaN.
  EXPECT_EQ(ToJson(measure(1, 1)).dump(), ToJson(report).dump());
  EXPECT_NE(ToJson(measure(2, 1)).dump(), ToJson(report).dump());
}

TEST_F(ProbeTest, WithoutTrainingEpisodesThereIsNoProbe) {
  WriteLinearDataset(scratch_.path() / "d", false);
  const data::Dataset dataset = data::Dataset::Open(scratch_.path() / "d");
  EXPECT_THAT(test::ErrorOf([&] { MeasureProbe(model_, dataset, {}, 1, 1); }),
              HasSubstr("has no training episode"));
}

}  // namespace
}  // namespace rhumb::eval
