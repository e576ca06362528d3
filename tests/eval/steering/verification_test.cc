#include "rhumb/eval/steering/verification.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/rollout/echo_model.h"

namespace rhumb::eval {
namespace {

using net::RolloutMode;
using steer::Query;
using testing::ElementsAre;
using testing::IsNan;

// Rounding error of 35 = 100 p^2 when the push p is rounded to float32.
constexpr double kRounding = 35 * 0x1p-23;

// The point mass, pushed steadily: a push of p along x costs 100 p^2 for every start. The energy
// labels have a standard deviation of 10.
class VerificationTest : public testing::Test {
 protected:
  VerificationTest() {
    model_.training.code_size = 2;
    model_.training.objectives = 2;
    model_.training.codes = {0, 0, 1, 0};
    model_.training.values = {-1, -20, 1, 0};
  }

  // Mimics a steerer that underestimates every cost by 10: {forward, energy} of an answer.
  steer::Result Solve(double energy) const {
    steer::Answer answer;
    answer.code = {static_cast<float>(std::sqrt((10 - energy) / 100)), 0};
    answer.predicted = {0, energy};
    answer.interval = {{0, 0}, {energy, energy}};
    steer::Result result;
    result.answers = {answer};
    return result;
  }

  std::optional<Refinement> RefineBy(int episodes, const Query& query, const steer::Result& solved,
                                     const std::function<steer::Result(const Query&)>& solve) {
    return Refine(environment_, model_, {.query = query, .solved = solved, .solve = solve},
                  episodes, options_);
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  net::Model model_ = rollout::EchoModel(rollout::DescribeRecordings(environment_), 0);
  rollout::CodeRunOptions options_{.mode = RolloutMode::kMean, .job = {.quiet = true}};
};

TEST_F(VerificationTest, RealisedByHand) {
  options_.episodes = 3;
  const auto realised = Verify(environment_, model_, std::vector<float>{0, 0, 0.5F, 0}, options_);
  ASSERT_TRUE(realised.has_value());
  ASSERT_EQ(realised->size(), 2u);
  EXPECT_EQ(realised->at(0).mean[1], 0);
  // A sum of 100 quarters is exact.
  EXPECT_EQ(realised->at(1).mean[1], -25);
  EXPECT_EQ(realised->at(1).std[1], 0);
  EXPECT_GT(realised->at(1).std[0], 0) << "the way made depends on the start";
  EXPECT_EQ(realised->at(1).episodes, 3);
  EXPECT_EQ(realised->at(1).diverged, 0);
  const nlohmann::json document = ToJson(realised->at(1), model_.description);
  EXPECT_EQ(document.at("energy"),
            nlohmann::json({{"mean", -25.0}, {"std", 0.0}, {"episodes", 3}}));
}

TEST_F(VerificationTest, DivergedEpisodesAreCountedAndStoppedRunsGiveNothing) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  model_.decoder.joint_mlp.SetLayer(0, std::vector<float>(16, 0), std::vector<float>{nan, 0, 0, 0});
  options_.episodes = 2;
  const std::vector<float> code = {0, 0};
  const auto realised = Verify(environment_, model_, code, options_);
  EXPECT_EQ(realised->at(0).episodes, 0);
  EXPECT_EQ(realised->at(0).diverged, 2);
  EXPECT_THAT(realised->at(0).mean, ElementsAre(IsNan(), IsNan()));

  const Query query = Query().AddTarget("energy", -25);
  const auto solve = [&](const Query&) { return Solve(0); };
  const auto refinement = RefineBy(8, query, Solve(-25), solve);
  EXPECT_EQ(refinement->chosen().miss, std::numeric_limits<double>::infinity());
  EXPECT_THAT(refinement->chosen().bias, ElementsAre(0, 0)) << "nothing was learned";

  options_.job.should_stop = [] { return true; };
  EXPECT_FALSE(Verify(environment_, model_, code, options_).has_value());
  EXPECT_FALSE(RefineBy(8, query, Solve(-25), solve).has_value());
}

// Deliberately wrong predictions: a push of 0.5 costs 25 and a push of 1 costs 100.
class NearestTest : public VerificationTest {
 protected:
  NearestTest() {
    options_.episodes = 3;
    for (const float push : {0.5F, 1.0F}) {
      steer::Answer& answer = alternatives_.emplace_back();
      answer.code = {push, 0};
      answer.predicted = {0, push == 1 ? -40.0 : -60.0};
    }
  }

  std::optional<RealisedAnswer> NearestTo(const Query& query) {
    const steer::Problem problem = steer::MakeProblem(query, model_, nullptr);
    return FindNearest(environment_, model_, problem, alternatives_, options_);
  }
  double NearestEnergy(const Query& query) { return NearestTo(query)->realised.mean[1]; }

  std::vector<steer::Answer> alternatives_;
};

TEST_F(NearestTest, IsChosenByWhatItRealised) {
  const auto nearest = NearestTo(Query().AddTarget("energy", -400));
  ASSERT_TRUE(nearest.has_value());
  EXPECT_EQ(nearest->realised.mean[1], -100);
  EXPECT_EQ(nearest->realised.episodes, 3);
  EXPECT_THAT(nearest->answer.code, ElementsAre(1, 0));
  EXPECT_THAT(nearest->answer.predicted, ElementsAre(0, -40)) << "what was forecast of that code";
}

// The stronger push covers more distance.
TEST_F(NearestTest, KeepsTheBoundsBeforeItComesNearToTheGoals) {
  const Query query = Query().AddTarget("x_velocity", 1e4);
  EXPECT_EQ(NearestEnergy(query), -100);
  EXPECT_EQ(NearestEnergy(Query(query).AtLeast("energy", -50)), -25);
  // If no code meets the bound, both bound and target count.
  EXPECT_EQ(NearestEnergy(Query(query).AtLeast("energy", -10)), -100);
  EXPECT_EQ(NearestEnergy(Query(query).AtMost("energy", -200)), -100);
  EXPECT_EQ(NearestEnergy(Query().AddTarget("x_velocity", 0).AtLeast("energy", -10)), -25);
}

TEST_F(NearestTest, StoppedRunsGiveNothing) {
  options_.job.should_stop = [] { return true; };
  EXPECT_FALSE(NearestTo(Query().AddTarget("energy", -400)).has_value());
}

TEST(SplitIntoRounds, ByHand) {
  EXPECT_THAT(SplitIntoRounds(1), ElementsAre(1));
  EXPECT_THAT(SplitIntoRounds(7), ElementsAre(7));
  EXPECT_THAT(SplitIntoRounds(8), ElementsAre(4, 4));
  EXPECT_THAT(SplitIntoRounds(14), ElementsAre(5, 5, 4));
}

// For -25 the steerer realises -35, which is 10 off. For -15 it realises -25, and stays there.
TEST_F(VerificationTest, RefinementMakesUpForABiasByHand) {
  const Query query = Query().AddTarget("energy", -25);
  std::vector<double> asked;
  const auto refinement = RefineBy(12, query, Solve(-25), [&](const Query& shifted) {
    asked.push_back(shifted.targets.at(0).value);
    return Solve(std::round(asked.back()));
  });
  ASSERT_TRUE(refinement.has_value());
  ASSERT_EQ(refinement->rounds.size(), 2u);
  const RefinementRound &first = refinement->rounds[0], &second = refinement->rounds[1];
  EXPECT_NEAR(first.realised.mean[1], -35, kRounding);
  EXPECT_EQ(first.realised.episodes, 4);
  EXPECT_NEAR(first.miss, 1, kRounding / 10);
  EXPECT_NEAR(first.bias[1], -10, kRounding);
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_NEAR(asked[0], -15, kRounding);
  // A push of 0.5 is exact.
  EXPECT_EQ(second.realised.mean[1], -25);
  EXPECT_EQ(second.realised.std[1], 0);
  EXPECT_EQ(second.realised.episodes, 8) << "two rounds of the same code";
  EXPECT_EQ(second.miss, 0);
  EXPECT_EQ(second.bias[1], -10);
  EXPECT_EQ(refinement->best, 1);
  EXPECT_FALSE(refinement->ended_by.has_value());
  const nlohmann::json document = ToJson(*refinement, model_.description);
  EXPECT_EQ(document.at("rounds").size(), 2u);
  EXPECT_EQ(document.at("rounds")[0].at("predicted").at("energy"), -25.0);
  EXPECT_EQ(document.at("best"), 1);
  EXPECT_FALSE(document.contains("ended_by"));
}

// The distance covered differs from start to start.
TEST_F(VerificationTest, RoundsOfOneCodeArePooled) {
  const Query query = Query().AddTarget("energy", -25);
  std::vector<double> ways;
  options_.on_episode = [&](int, int, const data::Episode& recorded) {
    ways.push_back(recorded.returns[0]);
  };
  const auto refinement = RefineBy(8, query, Solve(-15), [&](const Query&) { return Solve(-15); });
  ASSERT_EQ(ways.size(), 8u);
  double sum = 0, squares = 0;
  for (const double way : ways) sum += way;
  for (const double way : ways) squares += (way - sum / 8) * (way - sum / 8);
  const Realised& realised = refinement->chosen().realised;
  EXPECT_EQ(realised.episodes, 8);
  // Sums of 8 numbers below 100.
  EXPECT_NEAR(realised.mean[0], sum / 8, 1e-13);
  EXPECT_NEAR(realised.std[0], std::sqrt(squares / 7), 1e-13);
  EXPECT_NE(ways[0], ways[4]) << "each round has starts of its own";
}

TEST_F(VerificationTest, EveryNumberOfTheQueryIsShifted) {
  Query query = Query().AddTarget("energy", -25).AtLeast("energy", -30).AtMost("3*energy + 1", 4);
  query.Maximise("x_velocity");
  std::vector<Query> asked;
  const auto refinement = RefineBy(8, query, Solve(-25), [&](const Query& shifted) {
    asked.push_back(shifted);
    steer::Result none;
    none.status = steer::Status::kInfeasible;
    return none;
  });
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_NEAR(asked[0].targets.at(0).value, -15, kRounding);
  EXPECT_NEAR(asked[0].requirements.at(0).low, -20, kRounding);
  EXPECT_EQ(asked[0].requirements.at(0).high, steer::kUnbounded);
  EXPECT_EQ(asked[0].requirements.at(1).low, -steer::kUnbounded);
  EXPECT_NEAR(asked[0].requirements.at(1).high, 4 + 3 * 10, 3 * kRounding);
  EXPECT_EQ(asked[0].maximise, query.maximise);
  ASSERT_EQ(refinement->rounds.size(), 1u);
  EXPECT_EQ(refinement->ended_by, steer::Status::kInfeasible);
  EXPECT_EQ(refinement->best, 0);
  EXPECT_EQ(ToJson(*refinement, model_.description).at("ended_by"), "infeasible");
}

// A refused answer is not rolled out, although it has a code.
TEST_F(VerificationTest, ARefusedCodeIsNotTaken) {
  const auto refinement =
      RefineBy(12, Query().AddTarget("energy", -25), Solve(-25), [&](const Query& shifted) {
        steer::Result refused = Solve(shifted.targets.at(0).value);
        refused.status = steer::Status::kRefused;
        return refused;
      });
  ASSERT_EQ(refinement->rounds.size(), 1u);
  EXPECT_EQ(refinement->chosen().realised.episodes, 4);
  EXPECT_EQ(refinement->ended_by, steer::Status::kRefused);
}

// The labels' standard deviation, 1, replaces the missing one of the prediction.
TEST_F(VerificationTest, AnswersWithoutIntervalsAreRefined) {
  options_.mode = RolloutMode::kSampled;
  steer::Result solved = Solve(-25);
  solved.answers[0].interval.clear();
  const auto refinement =
      RefineBy(4, Query().AddTarget("energy", -25), solved, [&](const Query&) { return solved; });
  const RefinementRound& round = refinement->chosen();
  const double noise = round.realised.std[1] * round.realised.std[1] / 4;
  EXPECT_GT(noise, 0);
  // A quotient, a product and one or two sums, each rounded.
  EXPECT_NEAR(round.bias[1] / ((round.realised.mean[1] + 25) / (1 + noise)), 1, 1e-15 * 4);
}

// An interval of one standard deviation to either side holds erf(1 / sqrt 2) of a normal
// distribution.
TEST_F(VerificationTest, NoisyRoundsAndSurePredictionsTeachLess) {
  options_.mode = RolloutMode::kSampled;
  constexpr double kDeviation = 0.5;
  steer::Result solved = Solve(-25);
  solved.answers[0].interval[1] = {-25 - kDeviation, -25 + kDeviation};
  solved.interval_level = std::erf(std::sqrt(0.5));
  const auto refinement =
      RefineBy(4, Query().AddTarget("energy", -25), solved, [&](const Query&) { return Solve(0); });
  const RefinementRound& round = refinement->chosen();
  const double noise = round.realised.std[1] * round.realised.std[1] / 4;
  EXPECT_GT(noise, 0);
  const double weight = kDeviation * kDeviation / (kDeviation * kDeviation + noise);
  // The level determines the standard deviation to rounding, about 1e-15 of it.
  EXPECT_NEAR(round.bias[1] / (weight * (round.realised.mean[1] + 25)), 1, 1e-12);
}

}  // namespace
}  // namespace rhumb::eval
