#include "rhumb/eval/steering/trial.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/steer/steerer.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::eval {
namespace {

using net::RolloutMode;
using steer::Query;

// The point mass, pushed steadily by the code (p, 0): it costs 100 p^2. The heads say 40 p, as if
// that had been seen at p = 0 and p = 1. So for a cost of 20 they push by 0.5, which costs 25; the
// right push is 0.447.
class TrialTest : public testing::Test {
 protected:
  TrialTest() {
    for (net::ModelObjective& objective : model_.description.objectives) {
      objective.std = 10;
      objective.min = -40;
      objective.max = 40;
    }
    model_.training.code_size = 2;
    model_.training.objectives = 2;
    model_.training.codes = {0, 0, 1, 0};
    model_.training.values = {0, 0, 40, -40};
    net::Grounding grounding;
    grounding.episodes = 3;
    grounding.rolled_out = model_.training;
    grounding.rolled_out.deviations.assign(4, 0);
    model_.grounded[static_cast<std::size_t>(RolloutMode::kMean)] = grounding;
    run_.mode = RolloutMode::kMean;
    run_.job.quiet = true;
  }

  Trials Solve(int tries) {
    return *SolveByTrying(environment_, model_,
                          {.query = query_, .steer = options_, .tries = tries}, run_);
  }

  // The cost of an answer's push.
  static double CostOf(const steer::Answer& answer) {
    return 100 * (std::pow(answer.code[0], 2) + std::pow(answer.code[1], 2));
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  net::Model model_ = rollout::EchoModel(rollout::DescribeRecordings(environment_), 0);
  steer::SteerOptions options_;
  rollout::CodeRunOptions run_;
  const Query query_ = Query().AddTarget("energy", -20);
};

TEST_F(TrialTest, WithoutTriesItIsPlainSteering) {
  const Trials trials = Solve(0);
  EXPECT_TRUE(trials.tried.empty());
  ASSERT_FALSE(trials.result.answers.empty());
  EXPECT_EQ(trials.result.answers[0].code,
            steer::Steerer(model_, RolloutMode::kMean, options_).Solve(query_).answers[0].code);
  EXPECT_NEAR(CostOf(trials.result.answers[0]), 25, 2);
}

TEST_F(TrialTest, WhatWasTriedCorrectsTheAnswer) {
  const Trials trials = Solve(6);
  ASSERT_FALSE(trials.tried.empty());
  EXPECT_LE(trials.tried.size(), 6u);
  std::set<std::vector<float>> codes;
  for (const RealisedAnswer& one : trials.tried) {
    codes.insert(one.answer.code);
    EXPECT_EQ(one.realised.episodes, 3) << "as many as the grounding's";
    EXPECT_NEAR(-one.realised.mean[1], CostOf(one.answer), 1e-3);
  }
  EXPECT_EQ(codes.size(), trials.tried.size()) << "no code is tried twice";
  ASSERT_FALSE(trials.result.answers.empty());
  const double before = std::abs(CostOf(Solve(0).result.answers[0]) - 20);
  EXPECT_LT(std::abs(CostOf(trials.result.answers[0]) - 20), before / 2);

  const nlohmann::json document = ToJson(trials.tried, model_.description);
  ASSERT_EQ(document.size(), trials.tried.size());
  EXPECT_EQ(document[0].at("realised").at("energy").at("episodes"), 3);
  EXPECT_EQ(document[0].at("code").size(), 2u);
}

TEST_F(TrialTest, TheSameSeedTriesTheSame) {
  EXPECT_EQ(Solve(3).result.answers[0].code, Solve(3).result.answers[0].code);
}

TEST_F(TrialTest, StopsAndErrors) {
  run_.job.should_stop = [] { return true; };
  EXPECT_FALSE(
      SolveByTrying(environment_, model_, {.query = query_, .steer = options_, .tries = 2}, run_)
          .has_value());
  run_.mode = RolloutMode::kSampled;
  EXPECT_THAT(test::ErrorOf([&] { Solve(1); }),
              testing::HasSubstr("trying needs a model that is grounded for sampled actions"));
}

}  // namespace
}  // namespace rhumb::eval
