#include "rhumb/eval/steering/verification.h"

#include <gmock/gmock.h>

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

  options_.job.should_stop = [] { return true; };
  EXPECT_FALSE(Verify(environment_, model_, code, options_).has_value());
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

}  // namespace
}  // namespace rhumb::eval
