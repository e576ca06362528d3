#include "rhumb/eval/map/context_size.h"

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
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ContextSize, SpreadByHand) {
  // Two episodes of two draws: 0 and 2 lie 1 from their mean; 5 and 5 lie at it.
  EXPECT_DOUBLE_EQ(MeanSpread(std::vector<float>{0, 2, 5, 5}, 2, 1), 1);
  // One episode of three draws of two numbers: (6 + 24) / 2 from the mean (2, 4).
  EXPECT_DOUBLE_EQ(MeanSpread(std::vector<float>{1, 2, 1, 2, 4, 8}, 3, 2), std::sqrt(15));
}

// A policy's action alternates between its own number plus and minus 1/4; the labels are linear in
// it.
constexpr double kSwing = 0.25;

void WriteSwingingDataset(const std::filesystem::path& folder, const std::vector<Split>& splits) {
  data::DatasetWriter writer(folder, data::SampleDescription());
  const std::vector<float> centres = {0.25F, -0.5F, 0.75F, -0.125F, 0.5F, -0.25F};
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const auto policy = static_cast<int>(i);
    writer.AddPolicy(data::SamplePolicy(policy, 5));
    for (int episode = 0; episode < 2; ++episode) {
      data::Episode recorded = data::SampleEpisode(policy, 40, 0);
      for (std::size_t t = 0; t < 40; ++t) {
        recorded.actions[2 * t] = 0;
        recorded.actions[2 * t + 1] =
            centres[i] + static_cast<float>(t % 2 == 0 ? kSwing : -kSwing);
      }
      recorded.returns = {100 + 10.0 * centres[i], -4.0 * centres[i]};
      writer.Append(recorded);
    }
  }
  for (std::size_t i = 0; i < splits.size(); ++i) writer.policies()[i].split = splits[i];
  writer.Commit({{"seed", 0}});
}

class ContextSizeTest : public testing::Test {
 protected:
  ContextSizeTest() {
    model_.description.objectives[0].mean = 100;
    model_.description.objectives[0].std = 10;
    model_.description.objectives[1].std = 4;
  }
  data::Dataset Open(const std::vector<Split>& splits) {
    WriteSwingingDataset(scratch_.path() / "d", splits);
    return data::Dataset::Open(scratch_.path() / "d");
  }
  std::string ErrorOf(const data::Dataset& dataset) {
    return test::ErrorOf([&] { MeasureContextSizes(model_, dataset, config_, 1, 1); });
  }

  const test::ScratchFolder scratch_;
  net::Model model_ = rollout::EchoModel(data::SampleDescription(), 0);
  ContextSizeConfig config_;
};

const std::vector<Split> kAllSplits = {Split::kTrain, Split::kTrain,         Split::kTrain,
                                       Split::kTrain, Split::kHeldOutWeight, Split::kHeldOutWeight};

// The code is the mean of N actions drawn with replacement. Its standard deviation is swing /
// sqrt(N), which is also the error of the probe.
TEST_F(ContextSizeTest, MeansOfMoreDrawsSpreadLess) {
  const data::Dataset dataset = Open(kAllSplits);
  config_.sizes = {4, 8, 16, 64};
  config_.draws = 300;
  config_.train_draws = 300;
  const ContextSizeReport report = MeasureContextSizes(model_, dataset, config_, 1, 2);
  EXPECT_THAT(report.labels, ElementsAre("forward", "energy"));
  EXPECT_EQ(report.trained_size, 8);
  EXPECT_EQ(report.splits.size(), 1u);
  const SplitContextSizes& own = report.splits.at(Split::kHeldOutWeight);
  EXPECT_EQ(own.episodes, 4);
  ASSERT_EQ(own.rows.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const ContextSizeRow& row = own.rows[i];
    EXPECT_EQ(row.size, config_.sizes[i]);
    const double expected = kSwing / std::sqrt(row.size);
    // 1200 draws: 4 standard errors of a standard deviation, 1 / sqrt(2400) each.
    EXPECT_NEAR(row.spread, expected, 0.08 * expected);
    EXPECT_NEAR(row.deviation, std::exp(-10), 1e-10);
    // Centres of variance 0.21, seen in training through a variance of 1/128, give a slope of
    // 0.965. Labels 0.41 from the mean are therefore also off by 0.015. 1200 errors add some 4 %.
    EXPECT_NEAR(row.mean_code.mse[0], expected * expected, 0.2 * expected * expected + 0.0003);
    EXPECT_NEAR(row.mean_code.mse[1], row.mean_code.mse[0], 1e-6) << "the same label, turned";
  }
  // The slope of four spreads, each known to about 2 %.
  EXPECT_NEAR(own.spread_rate, -0.5, 0.04);
  // Centres 0.25, -0.5, 0.75 and -0.125 have a variance of 0.2139.
  EXPECT_NEAR(report.code_spread, std::sqrt(0.2139 + kSwing * kSwing / 8), 0.01);

  const nlohmann::json document = ToJson(report);
  EXPECT_EQ(document["trained_context"], 8);
  EXPECT_EQ(document["splits"]["held_out_weight"]["rows"][3]["context"], 64);
  EXPECT_EQ(document["splits"]["held_out_weight"]["rows"][0]["drawn"]["mse"].size(), 2u);
}

// At the trained size, the drawn codes are those of `evaluate probe`.
TEST_F(ContextSizeTest, AgreesWithTheProbe) {
  const data::Dataset dataset = Open(kAllSplits);
  model_.encoder = rollout::EchoModel(data::SampleDescription(), 0, -1).encoder;
  config_.sizes = {8};
  const ContextSizeReport report = MeasureContextSizes(model_, dataset, config_, 5, 1);
  const ProbeReport probe =
      MeasureProbe(model_, dataset, {.train_draws = 8, .held_out_draws = 8}, 5, 1);
  const ContextSizeRow& row = report.splits.at(Split::kHeldOutWeight).rows[0];
  const ProbeScore& score = probe.splits.at(Split::kHeldOutWeight);
  EXPECT_EQ(row.drawn.mse, score.mse);
  EXPECT_LT(row.mean_code.mean_mse, score.mean_mse);
  EXPECT_NEAR(row.deviation, probe.code_deviation, 1e-12);
  EXPECT_EQ(ToJson(MeasureContextSizes(model_, dataset, config_, 5, 3)).dump(),
            ToJson(report).dump());
  EXPECT_NE(ToJson(MeasureContextSizes(model_, dataset, config_, 6, 3)).dump(),
            ToJson(report).dump());
}

TEST_F(ContextSizeTest, WhatCannotBeMeasured) {
  const data::Dataset dataset = Open({Split::kTrain, Split::kTrain});
  EXPECT_THAT(ErrorOf(dataset), HasSubstr("has no held-out episode"));
  config_.sizes = {};
  EXPECT_THAT(ErrorOf(dataset), HasSubstr("sizes is empty"));
}

TEST_F(ContextSizeTest, WithoutTrainingEpisodesThereIsNoProbe) {
  EXPECT_THAT(ErrorOf(Open({Split::kHeldOutWeight})), HasSubstr("has no training episode"));
}

}  // namespace
}  // namespace rhumb::eval
