#include "rhumb/eval/steering/anchor_policies.h"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>

#include "rhumb/eval/steering/synthesis.h"
#include "rhumb/rollout/collector.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Two agents push the point mass almost steadily by (0.5, 0) and (0.25, 0), which costs 25 and 6.25
// an episode. Agent 1 has two policies, so policy 2 of the dataset is its second.
class AnchorPoliciesTest : public testing::Test {
 protected:
  AnchorPoliciesTest() {
    Write("population", 0.25F);
    rollout::CollectRequest request;
    request.population = scratch_.path() / "population";
    request.out = scratch_.path() / "data";
    request.config.steps_per_policy = 200;
    request.config.selection.skip_iterations = 0;
    request.config.selection.every = 1;
    request.config.selection.stationary_fraction = 0;
    request.config.selection.keep_unstable = true;
    request.config.split = {.held_out_checkpoints = 0, .hold_out_weight = false};
    request.job.quiet = true;
    rollout::CollectDataset(request);
    dataset_ = std::make_unique<data::Dataset>(data::Dataset::Open(request.out));
  }

  void Write(const std::string& name, float push) const {
    population::WriteSamplePopulation(
        scratch_.path() / name, environment_,
        {{0, {1, 0}, {5}, {0.5F, 0}}, {1, {0, 1}, {5, 10}, {push, 0}}}, /*deviation=*/0.001F);
  }

  std::optional<rollout::CodeRun> Play(const std::vector<Task>& tasks,
                                       const std::string& population = "population") const {
    return PlayAnchors(environment_, model_, *dataset_,
                       population::PopulationReader(scratch_.path() / population), tasks, options_);
  }

  static Task AnchoredAt(std::int64_t policy) {
    Task task;
    task.anchor = policy;
    return task;
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const test::ScratchFolder scratch_;
  std::unique_ptr<data::Dataset> dataset_;
  const net::Model model_ =
      rollout::EchoModel(rollout::DescribeRecordings(environment_), /*log_deviation=*/-3);
  PlayAgainOptions options_{
      .episodes = 2, .first_key = 100, .job = {.seed = 7, .threads = 2, .quiet = true}};
};

TEST_F(AnchorPoliciesTest, TeachersPlayByHand) {
  const auto run = Play({AnchoredAt(2), AnchoredAt(0), AnchoredAt(2)});
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->codes, 3);
  ASSERT_EQ(run->values.size(), 12u);
  for (std::size_t task = 0; task < 3; ++task) {
    for (std::size_t episode = 0; episode < 2; ++episode) {
      const std::size_t job = task * 2 + episode;
      EXPECT_EQ(run->diverged[job], 0);
      EXPECT_EQ(run->lengths[job], 100);
      EXPECT_NEAR(run->values[2 * job + 1], task == 1 ? -25 : -6.25, 0.05);
    }
  }
  EXPECT_NE(run->values[0], run->values[2]) << "each episode has its own start";
  EXPECT_NE(run->values[0], run->values[8]) << "each task has its own starts";
}

// With equal keys, a code of the same push starts as the teacher does. Starts differ by up to 2 in
// speed, and the teachers' noise adds 0.01.
TEST_F(AnchorPoliciesTest, TeachersStartWhereCodesStart) {
  const auto run = Play({AnchoredAt(0), AnchoredAt(1)});
  const auto codes =
      rollout::RollOutCodes(environment_, model_, std::vector<float>{0.5F, 0, 0.25F, 0},
                            {.mode = net::RolloutMode::kMean,
                             .episodes = 2,
                             .first_code = 100,
                             .job = {.seed = 7, .quiet = true}});
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(run->values[i], codes->values[i], 0.05);
  EXPECT_GT(std::abs(run->values[0] - run->values[2]), 0.05);
}

// The code of an echo model is the mean action.
TEST_F(AnchorPoliciesTest, CodesOfTheAnchorsContexts) {
  const std::vector<float> codes = EncodeAnchors(
      model_, *dataset_, std::vector<Task>{AnchoredAt(1), AnchoredAt(0), AnchoredAt(1)}, 1, 1);
  ASSERT_EQ(codes.size(), 6u);
  EXPECT_NEAR(codes[0], 0.25, 0.005);
  EXPECT_NEAR(codes[2], 0.5, 0.005);
  EXPECT_EQ(codes[0], codes[4]);
}

// As methods of synthesis: teacher 0 spends 25, and so does the code of its context.
TEST_F(AnchorPoliciesTest, AreReferencesOfSynthesis) {
  net::Model model = model_;
  model.description.objectives[0].std = 5;
  model.description.objectives[1].std = 50;
  model.heads = {2, 2, {2, 0, -2, 0}, {0, 0}};
  model.training.code_size = model.training.objectives = 2;
  model.training.codes = {0, 0, 1, 0};
  model.training.values = {0, 0, 10, -100};
  Task task = AnchoredAt(0);
  task.query.AddTarget("energy", -25);
  const std::vector<Task> tasks = {task};
  const population::PopulationReader population(scratch_.path() / "population");
  const AnchorData anchors = {dataset_.get(), &population, {}};
  SynthesisConfig config;
  config.mode = net::RolloutMode::kMean;
  EXPECT_THAT(
      ChooseMethods(config, model, tasks, anchors),
      ElementsAre("default", "still", "paper", "naive", "nearest_label", "imitate", "teacher"));
  for (const char* method : {"imitate", "teacher"}) {
    const auto report =
        MeasureSynthesis(environment_, model, tasks, method, config, options_.job, anchors);
    ASSERT_TRUE(report.has_value());
    EXPECT_NEAR(report->rows[0].realised.mean[1], -25, 0.6) << method;
    EXPECT_TRUE(report->rows[0].met) << method;
    EXPECT_EQ(report->rows[0].realised.episodes, 4);
  }
}

TEST_F(AnchorPoliciesTest, BadAnchorsAreSaid) {
  EXPECT_THAT(test::ErrorOf([&] {
                Play({AnchoredAt(0), Task{}});
              }),
              HasSubstr("task 1 does not name"));
  EXPECT_THAT(test::ErrorOf([&] { Play({AnchoredAt(3)}); }),
              AllOf(HasSubstr("task 0 is anchored at policy 3"), HasSubstr("data")));
  Write("other", 0.75F);
  EXPECT_THAT(test::ErrorOf([&] { Play({AnchoredAt(0)}, "other"); }),
              AllOf(HasSubstr("other is not the population"), HasSubstr("data")));
}

TEST_F(AnchorPoliciesTest, StopsWhenAsked) {
  options_.job.should_stop = [] { return true; };
  EXPECT_FALSE(Play({AnchoredAt(0)}).has_value());
}

}  // namespace
}  // namespace rhumb::eval
