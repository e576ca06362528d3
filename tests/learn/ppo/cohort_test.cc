#include "rhumb/learn/ppo/cohort.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/learn/ppo/small_cohort.h"

namespace rhumb::learn::ppo {
namespace {

TEST(Cohort, AnIterationRecordsWhatItsEpisodesDid) {
  Cohort cohort = MakeCohort();
  const std::string untrained = BytesOf(cohort.policy(0));
  Train(cohort, 2);
  EXPECT_EQ(cohort.iteration(), 2);
  for (int i = 0; i < cohort.agent_count(); ++i) {
    ASSERT_EQ(cohort.history(i).size(), 2u);
    const IterationRecord& last = cohort.history(i).back();
    EXPECT_EQ(last.iteration, 2);
    EXPECT_EQ(last.episodes, 4);  // one in each environment
    EXPECT_EQ(last.episode_length, 100);
    EXPECT_EQ(last.returns.size(), 2u);
    EXPECT_TRUE(std::isfinite(last.policy_loss) && std::isfinite(last.value_loss));
    EXPECT_EQ(last.skipped_minibatches, 0);
  }
  EXPECT_NE(BytesOf(cohort.policy(0)), untrained);
}

// Random draws are keyed by the agent's id, so neither threads nor company change an agent. Two
// networks are multiplied in another order than one, so there only rounding differs.
TEST(Cohort, AnAgentDependsNeitherOnThreadsNorOnTheOthers) {
  Cohort together = MakeCohort(), threaded = MakeCohort();
  Cohort alone = MakeCohort(1, {TwoAgents()[1]});
  Train(together, 2);
  Train(threaded, 2, /*threads=*/3);
  Train(alone, 2);
  EXPECT_EQ(BytesOf(threaded.policy(1)), BytesOf(together.policy(1)));
  const std::vector<double>& returns = alone.history(0).back().returns;
  for (std::size_t k = 0; k < returns.size(); ++k) {
    EXPECT_NEAR(returns[k], together.history(1).back().returns[k], 1e-4) << k;
  }
}

TEST(Cohort, SeedsAndWeightsMatter) {
  Cohort one = MakeCohort(1), other = MakeCohort(2);
  Train(one, 1);
  Train(other, 1);
  EXPECT_NE(BytesOf(one.policy(0)), BytesOf(other.policy(0)));
  EXPECT_NE(BytesOf(one.policy(0)), BytesOf(one.policy(1)));
}

TEST(Cohort, TheLearningRateFallsInALineToItsLastShare) {
  PpoConfig config = SmallPpo();
  config.learning_rate = 1e-3;
  config.last_rate_share = 0.1;
  // A child's line begins where it begins.
  const CohortOptions options{
      .seed = 1, .first_iteration = 7, .schedule_from = 7, .schedule_to = 10, .group_size = 2};
  Cohort cohort(PointMass(), config, {TwoAgents()[0]}, options, torch::kCPU);
  const std::string untrained = BytesOf(cohort.policy(0));
  for (const double rate : {1e-3, 0.55e-3, 0.1e-3}) {
    EXPECT_NEAR(cohort.learning_rate(), rate, 1e-12);
    Train(cohort, 1);
  }
  EXPECT_NE(BytesOf(cohort.policy(0)), untrained);

  config.last_rate_share = 0;
  Cohort still(PointMass(), config, {TwoAgents()[0]}, options, torch::kCPU);
  Train(still, 2);
  const torch::Tensor before = torch::tensor(still.policy(0).deviation);
  EXPECT_EQ(still.learning_rate(), 0);
  Train(still, 1);
  EXPECT_TRUE(torch::equal(torch::tensor(still.policy(0).deviation), before));
}

TEST(Cohort, TheLargestDeviationFallsGeometricallyToItsLastShare) {
  PpoConfig config = SmallPpo();
  config.max_deviation = 0.8;
  config.last_max_share = 0.25;
  const CohortOptions options{.seed = 1, .schedule_to = 3, .group_size = 2};
  Cohort cohort(PointMass(), config, {TwoAgents()[0]}, options, torch::kCPU);
  for (const double largest : {0.8, 0.4, 0.2}) {
    EXPECT_NEAR(cohort.max_deviation(), largest, 1e-12);
    Train(cohort, 1);
    for (const float deviation : cohort.policy(0).deviation) EXPECT_LE(deviation, largest + 1e-6);
  }
  config.min_deviation = 0.5;
  Cohort floored(PointMass(), config, {TwoAgents()[0]}, options, torch::kCPU);
  Train(floored, 3);
  for (const float deviation : floored.policy(0).deviation) EXPECT_NEAR(deviation, 0.5, 1e-6);
}

// Branches of a trunk go on where its schedule stood.
TEST(Cohort, AScheduleMayHaveBegunBeforeItsFirstIteration) {
  PpoConfig config = SmallPpo();
  config.learning_rate = 1e-3;
  config.last_rate_share = 0;
  config.max_deviation = 0.8;
  config.last_max_share = 0.25;
  const CohortOptions options{.seed = 1, .first_iteration = 2, .schedule_to = 5, .group_size = 2};
  Cohort cohort(PointMass(), config, {TwoAgents()[0]}, options, torch::kCPU);
  EXPECT_NEAR(cohort.learning_rate(), 0.5e-3, 1e-12);
  EXPECT_NEAR(cohort.max_deviation(), 0.4, 1e-12);
}

// Ant observes 27 numbers of its state and 78 contact forces, which its spec calls unseen.
TEST(Cohort, PoliciesDoNotLookAtWhatIsUnseen) {
  const sim::Environment ant(sim::FindBundle("mo-ant-v5", "upstream"));
  Cohort cohort(ant, SmallPpo(), {{.id = 0, .weights = {1, 0, 0}}}, {.seed = 1, .group_size = 2},
                torch::kCPU);
  for (const int iterations : {0, 1}) {
    Train(cohort, iterations);
    const std::vector<float>& scales = cohort.policy(0).normaliser.inverse_scale;
    ASSERT_EQ(scales.size(), 105u);
    for (std::size_t i = 0; i < 105; ++i) {
      EXPECT_EQ(scales[i] == net::kUnseenScale, i >= 27) << i << ": " << scales[i];
    }
  }
}

}  // namespace
}  // namespace rhumb::learn::ppo
