#include "rhumb/eval/map/front_source.h"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>

#include "rhumb/rollout/collector.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// The energy of a push that costs 1 in 100 steps, discounted by 0.99.
const double kDiscounted = 0.01 * (1 - std::pow(0.99, 100)) / (1 - 0.99);

TEST(FrontSource, DiscountedReturnsByHand) {
  const std::vector<float> rewards = {1, 10, 2, 20, 4, 40};
  EXPECT_THAT(DiscountedReturns(rewards, 2, 0.5), ElementsAre(3, 30));
  EXPECT_THAT(DiscountedReturns(rewards, 2, 1), ElementsAre(7, 70));
  EXPECT_THAT(DiscountedReturns(rewards, 2, 0), ElementsAre(1, 10));
  EXPECT_THAT(DiscountedReturns({}, 2, 0.5), ElementsAre(0, 0));
}

// The point mass: a code (p, q) is a steady push, which costs 100 (p^2 + q^2) with mean actions.
class FrontSourceTest : public testing::Test {
 protected:
  FrontSourceTest() { model_.training.code_size = model_.training.objectives = 2; }

  // Codes with the values that are stored for them.
  void Ground(net::RolloutMode mode, std::vector<float> codes, std::vector<float> values,
              std::vector<std::int64_t> policies) {
    net::Grounding& grounding = model_.grounded[static_cast<std::size_t>(mode)].emplace();
    grounding.rolled_out.code_size = grounding.rolled_out.objectives = 2;
    grounding.rolled_out.codes = std::move(codes);
    grounding.rolled_out.values = std::move(values);
    grounding.rolled_out.policies = std::move(policies);
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const std::vector<std::string> objectives_ = {"x_velocity", "energy"};
  net::Model model_ = rollout::EchoModel(rollout::DescribeRecordings(environment_), 0);
  FrontPlay play_{.mode = net::RolloutMode::kMean,
                  .rollouts = 3,
                  .choosing_rollouts = 2,
                  .discount = 0.99,
                  .batch = 2,
                  .job = {.seed = 3, .threads = 2, .quiet = true}};
};

// Code 1 is stored as dominated. Code 3 is of no policy, and dominates code 2.
TEST_F(FrontSourceTest, MapByHand) {
  Ground(net::RolloutMode::kMean, {0.5F, 0, 0.1F, 0, 0.3F, 0, 0.4F, 0},
         {45, -25, 20, -30, 30, -16, 36, -16}, {0, 0, 1, -1});
  const auto sources = SourcesOfMap(environment_, model_, play_);
  ASSERT_TRUE(sources.has_value());
  ASSERT_THAT(*sources, SizeIs(2));
  const FrontSource &map = (*sources)[0], &own = (*sources)[1];
  EXPECT_EQ(map.name, "map");
  EXPECT_EQ(map.tried.count(), 4u);
  ASSERT_THAT(map.chosen, SizeIs(2));
  EXPECT_THAT(map.chosen_values.values, ElementsAre(45, -25, 36, -16));
  EXPECT_EQ(map.chosen[1].number, 3);
  EXPECT_TRUE(map.chosen[1].is_between);
  EXPECT_FALSE(map.chosen[0].is_between);
  EXPECT_EQ(own.name, "policy codes");
  EXPECT_EQ(own.tried.count(), 3u);
  ASSERT_THAT(own.chosen, SizeIs(2));
  EXPECT_EQ(own.chosen[1].number, 2);
  // The stored values choose and are not used again: code 3 really costs 16, code 2 costs 9.
  ASSERT_THAT(map.chosen[1].played, SizeIs(3));
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_NEAR(map.chosen[1].played[e][1], -16, 1e-4);
    EXPECT_NEAR(map.chosen[1].discounted[e][1], -16 * kDiscounted, 1e-4);
    EXPECT_NEAR(own.chosen[1].played[e][1], -9, 1e-4);
  }
  EXPECT_EQ(map.chosen[0].played, own.chosen[0].played) << "a code plays once for both";
  EXPECT_NE(map.chosen[0].played[0][0], map.chosen[0].played[1][0]) << "episodes differ";

  play_.job.threads = 1;
  play_.batch = 5;
  const auto again = SourcesOfMap(environment_, model_, play_);
  EXPECT_EQ((*again)[0].chosen[1].discounted, map.chosen[1].discounted);
}

TEST_F(FrontSourceTest, MapWithoutCodesBetween) {
  Ground(net::RolloutMode::kMean, {0.5F, 0}, {45, -25}, {});
  EXPECT_THAT(*SourcesOfMap(environment_, model_, play_), SizeIs(1));
  play_.mode = net::RolloutMode::kSampled;
  EXPECT_THAT(test::ErrorOf([&] { SourcesOfMap(environment_, model_, play_); }),
              HasSubstr("no codes that were rolled out with sampled actions"));
}

TEST_F(FrontSourceTest, StopsWhenAsked) {
  Ground(net::RolloutMode::kMean, {0.5F, 0}, {45, -25}, {});
  play_.job.should_stop = [] { return true; };
  EXPECT_FALSE(SourcesOfMap(environment_, model_, play_).has_value());
}

// Policy 7 has episodes 0 and 2 for the choice, and 1 for its value; policy 8 is dominated.
TEST_F(FrontSourceTest, LabelsByHand) {
  model_.training.codes.assign(10, 0);
  model_.training.policies = {7, 8, 7, 8, 7};
  model_.training.values = {10, -1, 5, -5, 20, -2, 9, -1, 30, -3};
  const FrontSource source = SourceOfLabels(model_);
  EXPECT_EQ(source.name, "training labels");
  EXPECT_FALSE(source.same_episodes);
  EXPECT_THAT(source.tried.values, ElementsAre(20, -2, 5, -5));
  ASSERT_THAT(source.chosen, SizeIs(1));
  EXPECT_EQ(source.chosen[0].number, 7);
  EXPECT_THAT(source.chosen[0].played, ElementsAre(ElementsAre(20, -2)));
  EXPECT_THAT(source.chosen[0].discounted, SizeIs(0));

  // If the policies are unknown, each label chooses and values its own code.
  model_.training.policies.clear();
  const FrontSource unknown = SourceOfLabels(model_);
  EXPECT_TRUE(unknown.same_episodes);
  EXPECT_EQ(unknown.tried.count(), 5u);
  EXPECT_THAT(unknown.chosen, SizeIs(3));
}

// An attribute has no better or worse.
TEST_F(FrontSourceTest, AttributesAreLeftOut) {
  net::ModelObjective attribute;
  attribute.name = "pace";
  attribute.expression = "mean(x_velocity)";
  model_.description.objectives.insert(model_.description.objectives.begin(), attribute);
  EXPECT_THAT(FrontColumns(model_.description), ElementsAre(1, 2));
  model_.description.objectives.resize(1);
  EXPECT_THAT(test::ErrorOf([&] { FrontColumns(model_.description); }),
              HasSubstr("only attributes"));
}

// Pushes of (0.5, 0), (0.25, 0) and (0, 0.5), which cost 25, 6.25 and 25. The last is dominated.
class FrontPoliciesTest : public FrontSourceTest {
 protected:
  FrontPoliciesTest() {
    population::WriteSamplePopulation(scratch_.path() / "population", environment_,
                                      {{0, {1, 0}, {5}, {0.5F, 0}},
                                       {1, {0.5, 0.5}, {5}, {0.25F, 0}},
                                       {2, {0, 1}, {5}, {0, 0.5F}}},
                                      /*deviation=*/0.2F);
  }

  const test::ScratchFolder scratch_;
};

TEST_F(FrontPoliciesTest, PopulationByHand) {
  const population::PopulationReader population(scratch_.path() / "population");
  const auto source = SourceOfPopulation(environment_, population, objectives_, play_);
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ(source->tried.count(), 3u);
  ASSERT_THAT(source->chosen, SizeIs(2));
  EXPECT_EQ(source->chosen[1].number, 1);
  ASSERT_THAT(source->chosen[1].played, SizeIs(3));
  EXPECT_NEAR(source->chosen[1].played[0][1], -6.25, 1e-3) << "mean actions";
  EXPECT_NEAR(source->chosen[1].discounted[0][1], -6.25 * kDiscounted, 1e-3);
  EXPECT_NE(source->chosen[1].played[0][0], source->tried.point(1)[0]) << "fresh episodes";
  // Noise of 0.2 in two actions costs 8 more.
  play_.mode = net::RolloutMode::kSampled;
  const auto sampled = SourceOfPopulation(environment_, population, objectives_, play_);
  EXPECT_NEAR(sampled->chosen[1].played[0][1], -14.25, 4);

  const std::vector<std::string> speed = {"y_velocity"};
  EXPECT_THAT(test::ErrorOf([&] { SourceOfPopulation(environment_, population, speed, play_); }),
              HasSubstr("y_velocity"));
}

TEST_F(FrontPoliciesTest, DatasetByHand) {
  rollout::CollectRequest request;
  request.population = scratch_.path() / "population";
  request.out = scratch_.path() / "data";
  request.config.steps_per_policy = 400;
  request.config.selection.skip_iterations = 0;
  request.config.selection.every = 1;
  request.config.selection.stationary_fraction = 0;
  request.config.selection.keep_unstable = true;
  request.config.split = {.held_out_checkpoints = 0, .hold_out_weight = false};
  request.job.quiet = true;
  rollout::CollectDataset(request);
  const data::Dataset dataset = data::Dataset::Open(request.out);
  const FrontSource source = SourceOfDataset(dataset, objectives_, 0.99);
  EXPECT_EQ(source.tried.count(), 3u);
  ASSERT_THAT(source.chosen, SizeIs(2));
  // Episodes 1 and 3 of four.
  ASSERT_THAT(source.chosen[0].played, SizeIs(2));
  EXPECT_EQ(source.chosen[0].played[0][1], dataset.index().episodes[1].returns[1]);
  data::Episode episode;
  dataset.ReadEpisode(1, episode);
  EXPECT_EQ(source.chosen[0].discounted[0], DiscountedReturns(episode.vector_rewards, 2, 0.99));
}

}  // namespace
}  // namespace rhumb::eval
