#include "rhumb/eval/steering/between_task.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/eval/steering/between_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::eval {
namespace {

using net::RolloutMode;
using testing::AllOf;
using testing::HasSubstr;
using testing::Pair;

class BetweenTaskTest : public testing::Test {
 protected:
  std::optional<BetweenTasks> Make() const {
    return MakeBetweenTasks(environment_, model_, options_);
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  net::Model model_ = BetweenModel(environment_);
  BetweenTaskOptions options_{.mode = RolloutMode::kMean,
                              .count = 5,
                              .draws = 40,
                              .episodes = 2,
                              .job = {.seed = 3, .quiet = true}};
};

TEST_F(BetweenTaskTest, MixturesByHand) {
  const CodeMixer mixer(model_);
  EXPECT_EQ(mixer.different(), "agents");
  double least = 1, most = 0;
  for (std::int64_t draw = 0; draw < 200; ++draw) {
    const Mixture mixture = mixer.Draw(3, draw);
    EXPECT_EQ(mixture, mixer.Draw(3, draw));
    EXPECT_EQ(mixture.first + mixture.second, 1) << "the only pair";
    EXPECT_THAT(mixer.PoliciesOf(mixture), Pair(0, 1));
    least = std::min(least, mixture.share);
    most = std::max(most, mixture.share);
    std::vector<float> code;
    mixer.AppendCode(mixture, code);
    ASSERT_EQ(code.size(), 2u);
    EXPECT_FLOAT_EQ(code[0],
                    static_cast<float>(mixture.second == 1 ? mixture.share : 1 - mixture.share));
    EXPECT_EQ(code[1], 0);
  }
  EXPECT_GE(least, 0.3);
  EXPECT_LT(least, 0.32);
  EXPECT_LE(most, 0.7);
  EXPECT_GT(most, 0.68);
  EXPECT_NE(mixer.Draw(3, 0).share, mixer.Draw(4, 0).share);
}

// Label distances in deviations: 0.2 between codes 0 and 1, 0.7 to 0.9 to code 2, and 5 to code 3.
TEST_F(BetweenTaskTest, PairsAreNeitherTooNearNorTooFar) {
  FillTable(model_.training, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 18, 0, 81, 0, 450, 0});
  model_.training.policies = {0, 1, 2, 3};
  model_.training.agents = {0, 1, 2, 3};
  const CodeMixer mixer(model_);
  for (std::int64_t draw = 0; draw < 100; ++draw) {
    const Mixture mixture = mixer.Draw(1, draw);
    EXPECT_EQ(std::max(mixture.first, mixture.second), 2) << draw;
    EXPECT_NE(mixture.first, mixture.second);
  }
}

TEST_F(BetweenTaskTest, WithoutAgentsPoliciesDiffer) {
  FillTable(model_.training, {0, 0, 1, 0, 1, 0}, {0, 0, 90, -100, 90, -100});
  model_.training.policies = {0, 0, 1};
  model_.training.agents.clear();
  const CodeMixer mixer(model_);
  EXPECT_EQ(mixer.different(), "policies");
  for (std::int64_t draw = 0; draw < 50; ++draw) {
    const Mixture mixture = mixer.Draw(1, draw);
    EXPECT_EQ(mixture.first + mixture.second, 2) << "codes 0 and 1 have one policy";
  }
  model_.training.policies.clear();
  EXPECT_EQ(CodeMixer(model_).different(), "codes");
}

TEST_F(BetweenTaskTest, ModelsWithoutPairsAreSaid) {
  model_.training.agents = {4, 4};
  EXPECT_THAT(test::ErrorOf([&] { CodeMixer(model_).Draw(1, 0); }),
              AllOf(HasSubstr("2 training codes"), HasSubstr("different agents")));
  model_.description.objectives[0].max = 0;
  EXPECT_THAT(test::ErrorOf([&] { CodeMixer mixer(model_); }), HasSubstr("'x_velocity'"));
}

TEST_F(BetweenTaskTest, TasksPinWhatTheMixtureRealised) {
  const auto made = Make();
  ASSERT_TRUE(made.has_value());
  ASSERT_EQ(made->tasks.size(), 5u);
  EXPECT_EQ(made->different, "agents");
  EXPECT_EQ(made->draws, 5) << "every draw is steady and new";
  EXPECT_EQ(made->unsteady + made->known, 0);
  for (std::size_t i = 0; i < 5; ++i) {
    const BetweenTask& task = made->tasks[i];
    EXPECT_EQ(task.draw, static_cast<std::int64_t>(i));
    EXPECT_EQ(task.realised.episodes, 2);
    EXPECT_NEAR(task.realised.mean[0], 90 * task.code[0], 1.5);
    ASSERT_EQ(task.task.query.targets.size(), 1u) << "the energy does not shape the map";
    EXPECT_TRUE(task.task.query.requirements.empty());
    const steer::Target& target = task.task.query.targets[0];
    EXPECT_EQ(target.quantity, "x_velocity");
    EXPECT_EQ(target.value, task.realised.mean[0]);
    EXPECT_DOUBLE_EQ(target.tolerance, 1.8);
    EXPECT_EQ(task.task.seed, i);
  }
}

// Both objectives shape the map: each is pinned, and the pair is sqrt(1 + 4) apart.
TEST_F(BetweenTaskTest, EveryShapingObjectiveCounts) {
  model_.description.shaping_labels = 2;
  model_.description.objectives[1].min = -100;
  model_.description.objectives[1].max = 0;
  EXPECT_THAT(test::ErrorOf([&] { Make(); }), HasSubstr("0.3 to 1.2 standard deviations apart"));
  model_.description.objectives[1].std = 200;
  const auto made = Make();
  for (const BetweenTask& task : made->tasks) {
    ASSERT_EQ(task.task.query.targets.size(), 2u);
    EXPECT_EQ(task.task.query.targets[1].quantity, "energy");
    EXPECT_NEAR(task.task.query.targets[1].value, -100.0 * task.code[0] * task.code[0], 1e-4);
    EXPECT_DOUBLE_EQ(task.task.query.targets[1].tolerance, 2);
  }
}

TEST_F(BetweenTaskTest, TasksDependOnTheSeedAlone) {
  const auto five = Make();
  options_.count = 12;
  options_.batch = 3;
  options_.job.threads = 2;
  const auto twelve = Make();
  ASSERT_EQ(twelve->tasks.size(), 12u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(five->tasks[i].code, twelve->tasks[i].code);
    EXPECT_EQ(five->tasks[i].task, twelve->tasks[i].task);
  }
  options_.job.seed = 4;
  EXPECT_NE(Make()->tasks[0].code, twelve->tasks[0].code);
}

// A training policy at 45: mixtures from 43.2 to 46.8 are known.
TEST_F(BetweenTaskTest, KnownBehavioursMakeNoTask) {
  FillTable(model_.training, {0, 0, 1, 0, 0.5F, 0}, {0, 0, 90, -100, 45, -25});
  model_.training.policies = {0, 1, 2};
  model_.training.agents = {0, 1, 2};
  options_.count = 200;
  options_.draws = 200;
  const auto made = Make();
  EXPECT_EQ(made->draws, 200);
  EXPECT_GT(made->known, 0);
  EXPECT_EQ(static_cast<std::int64_t>(made->tasks.size()) + made->known + made->unsteady, 200);
  for (const BetweenTask& task : made->tasks) {
    EXPECT_GT(std::abs(task.realised.mean[0] - 45), 1.8);
  }
}

// Sampled actions have a standard deviation of 1, so speeds vary by several percent.
TEST_F(BetweenTaskTest, UnsteadyMixturesMakeNoTask) {
  options_.mode = RolloutMode::kSampled;
  options_.episodes = 8;
  EXPECT_THAT(test::ErrorOf([&] { Make(); }),
              AllOf(HasSubstr("none of 40 mixed codes"), HasSubstr("40 are unsteady")));
}

TEST_F(BetweenTaskTest, StopsWhenAsked) {
  options_.job.should_stop = [] { return true; };
  EXPECT_FALSE(Make().has_value());
}

TEST_F(BetweenTaskTest, LargestMissByHand) {
  const std::vector<double> asked = {45, 0};
  EXPECT_DOUBLE_EQ(LargestMiss(std::vector<double>{40.5, 7}, asked, model_.description), 0.05);
  EXPECT_EQ(LargestMiss(std::vector<double>{std::nan(""), 0}, asked, model_.description),
            std::numeric_limits<double>::infinity());
  model_.description.shaping_labels = 2;
  model_.description.objectives[1].max = 100;
  EXPECT_DOUBLE_EQ(LargestMiss(std::vector<double>{40.5, 7}, asked, model_.description), 0.07);
}

}  // namespace
}  // namespace rhumb::eval
