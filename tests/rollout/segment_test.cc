#include "rhumb/rollout/segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rhumb/sim/catalogue.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Pushes with `push` along x and 0 along y in every state, plus noise.
net::GaussianPolicy ConstantPolicy(float push, float deviation) {
  net::GaussianPolicy policy;
  policy.normaliser.mean.assign(2, 0.0f);
  policy.normaliser.inverse_scale.assign(2, 1.0f);
  policy.mean = net::Mlp({2, 2}, net::Activation::kRelu);
  policy.mean.SetLayer(0, std::vector<float>(4, 0.0f), std::vector<float>{push, 0});
  policy.deviation.assign(2, deviation);
  return policy;
}

// A policy that depends on its observation: u = -v, so its actions reveal its observations.
net::GaussianPolicy BrakingPolicy() {
  net::GaussianPolicy policy = ConstantPolicy(0.3f, 0.2f);
  policy.mean.SetLayer(0, std::vector<float>{-1, 0, 0, -1}, std::vector<float>{0.3f, 0});
  return policy;
}

const sim::Environment& SharedPoint() {
  static const sim::Environment kPoint(sim::FindBundle("point-v0", "two"));
  return kPoint;
}

Segment RunAll(SegmentRunner& runner, const net::GaussianPolicy& policy, int steps,
               int environments, const sim::Environment& environment = SharedPoint()) {
  Segment segment(steps, environments, environment);
  for (int group = 0; group < runner.group_count(); ++group) runner.Run(group, policy, segment);
  return segment;
}

// Without noise each step costs 0.5^2, and the speed approaches the push. After 100 steps of 0.1 s
// with damping 1 the start is forgotten: v = 0.5 (1 - e^-10) + ….
TEST(Segment, ConstantPushByHand) {
  SegmentRunner runner(SharedPoint(), {.environments = 2, .group_size = 2});
  const Segment segment = RunAll(runner, ConstantPolicy(0.5f, 0), 100, 2);
  EXPECT_EQ(segment.observations.size(), 100u * 2 * 2);
  EXPECT_EQ(segment.rewards.size(), 100u * 2 * 2);
  for (std::size_t row = 0; row < 200; ++row) {
    EXPECT_EQ(segment.actions[row * 2], 0.5f);
    EXPECT_EQ(segment.actions[row * 2 + 1], 0);
    EXPECT_FLOAT_EQ(segment.rewards[row * 2 + 1], -0.25f);
    EXPECT_EQ(segment.truncated[row], row >= 198 ? 1 : 0);
    EXPECT_EQ(segment.terminated[row], 0);
  }
  EXPECT_NEAR(segment.observations[198 * 2], 0.5, 1e-4);
  // The episodes have ended: their true last speed is kept, and the next episode starts near rest.
  EXPECT_NEAR(segment.final_observations[198 * 2], 0.5, 1e-4);
  EXPECT_LT(std::abs(segment.last_observations[0]), 0.1001f);
  const EpisodeSummary summary = runner.summary();
  EXPECT_EQ(summary.count, 2);
  EXPECT_EQ(summary.diverged, 0);
  EXPECT_EQ(summary.episode_steps, 200);
  EXPECT_NEAR(summary.return_sum[1], -50, 1e-9);
  double forward = 0;
  for (std::size_t row = 0; row < 200; ++row) forward += segment.rewards[row * 2];
  EXPECT_NEAR(summary.return_sum[0], forward, 1e-4);  // a sum of 200 floats
}

// An episode of 100 steps in segments of 60 is counted as a whole in the segment where it ends.
TEST(Segment, EpisodesGoOnFromSegmentToSegment) {
  SegmentRunner runner(SharedPoint(), {.environments = 1, .group_size = 1});
  const Segment first = RunAll(runner, BrakingPolicy(), 60, 1);
  EXPECT_EQ(runner.summary().count, 0);
  const Segment second = RunAll(runner, BrakingPolicy(), 60, 1);
  EXPECT_EQ(second.observations[0], first.last_observations[0]);
  EXPECT_EQ(second.observations[1], first.last_observations[1]);
  EXPECT_EQ(second.truncated[39], 1);
  EXPECT_EQ(runner.summary().count, 1);
  EXPECT_EQ(runner.summary().episode_steps, 100);
  double forward = 0;
  for (std::size_t t = 0; t < 60; ++t) forward += first.rewards[t * 2];
  for (std::size_t t = 0; t < 40; ++t) forward += second.rewards[t * 2];
  EXPECT_NEAR(runner.summary().return_sum[0], forward, 1e-5);
}

// 4 x 500 x 2 draws: mean 0 and standard deviation 1 within five standard errors, and all rows
// differ.
TEST(Segment, ActionsAreDrawnAroundTheMean) {
  SegmentRunner runner(SharedPoint(), {.environments = 4, .group_size = 4, .seed = 3});
  const Segment segment = RunAll(runner, ConstantPolicy(0.25f, 2), 500, 4);
  double sum = 0, squares = 0;
  std::vector<float> seen;
  for (std::size_t i = 0; i < segment.actions.size(); ++i) {
    const double z = (segment.actions[i] - (i % 2 == 0 ? 0.25 : 0)) / 2;
    sum += z / 4000;
    squares += z * z / 4000;
    seen.push_back(segment.actions[i]);
  }
  EXPECT_NEAR(sum, 0, 5 / std::sqrt(4000));
  EXPECT_NEAR(squares, 1, 5 * std::sqrt(2.0 / 4000));
  std::sort(seen.begin(), seen.end());
  EXPECT_GT(std::unique(seen.begin(), seen.end()) - seen.begin(), 3990);
  EXPECT_GT(*std::max_element(segment.actions.begin(), segment.actions.end()), 1)
      << "kept as drawn, not clipped";
}

// Neither the grouping nor the other environments change a bit.
TEST(Segment, DoesNotDependOnGroups) {
  SegmentRunner together(SharedPoint(), {.environments = 4, .group_size = 4, .seed = 5});
  SegmentRunner pairs(SharedPoint(), {.environments = 4, .group_size = 2, .seed = 5});
  SegmentRunner single(SharedPoint(),
                       {.environments = 1, .group_size = 1, .seed = 5, .first_unit = 2});
  EXPECT_EQ(pairs.group_count(), 2);
  const Segment a = RunAll(together, BrakingPolicy(), 120, 4);
  const Segment b = RunAll(pairs, BrakingPolicy(), 120, 4);
  const Segment c = RunAll(single, BrakingPolicy(), 120, 1);
  EXPECT_EQ(a.actions, b.actions);
  EXPECT_EQ(a.observations, b.observations);
  EXPECT_EQ(a.rewards, b.rewards);
  EXPECT_EQ(a.last_observations, b.last_observations);
  for (std::size_t t = 0; t < 120; ++t) {
    ASSERT_EQ(a.actions[(t * 4 + 2) * 2], c.actions[t * 2]) << t;
    ASSERT_EQ(a.observations[(t * 4 + 2) * 2], c.observations[t * 2]) << t;
  }
}

TEST(Segment, SeedsAndUnitsDiffer) {
  SegmentRunner a(SharedPoint(), {.environments = 1, .group_size = 1, .seed = 5});
  SegmentRunner b(SharedPoint(), {.environments = 1, .group_size = 1, .seed = 6});
  SegmentRunner c(SharedPoint(), {.environments = 1, .group_size = 1, .seed = 5, .first_unit = 1});
  const auto actions = [](SegmentRunner& r) { return RunAll(r, BrakingPolicy(), 3, 1).actions; };
  const auto first = actions(a);
  EXPECT_NE(first, actions(b));
  EXPECT_NE(first, actions(c));
}

// Saves in mid-episode and restores into another runner. The rest is bit-identical, and the
// episode's return and length are complete.
TEST(Segment, RestoredRunGoesOnToTheBit) {
  for (const char* id : {"point-v0", "mo-hopper-v5"}) {
    const sim::Environment environment(sim::FindBundle(id));
    net::GaussianPolicy policy;
    const int inputs = environment.observation_size(), outputs = environment.action_size();
    policy.normaliser.mean.assign(static_cast<std::size_t>(inputs), 0.0f);
    policy.normaliser.inverse_scale.assign(static_cast<std::size_t>(inputs), 1.0f);
    policy.mean = net::Mlp({inputs, outputs}, net::Activation::kRelu);
    policy.mean.SetLayer(0, std::vector<float>(static_cast<std::size_t>(inputs * outputs), 0.1f),
                         std::vector<float>(static_cast<std::size_t>(outputs), 0.0f));
    policy.deviation.assign(static_cast<std::size_t>(outputs), 0.5f);
    const SegmentRunner::Options options{.environments = 4, .group_size = 2, .seed = 9};
    SegmentRunner whole(environment, options), resumed(environment, options);
    RunAll(whole, policy, 73, 4, environment);
    std::vector<double> state(whole.state_size() * 4);
    whole.SaveState(state);
    const Segment expected = RunAll(whole, policy, 73, 4, environment);
    resumed.RestoreState(state);
    const Segment actual = RunAll(resumed, policy, 73, 4, environment);
    EXPECT_EQ(actual.observations, expected.observations) << id;
    EXPECT_EQ(actual.actions, expected.actions) << id;
    EXPECT_EQ(actual.rewards, expected.rewards) << id;
    EXPECT_EQ(actual.terminated, expected.terminated) << id;
    EXPECT_EQ(actual.truncated, expected.truncated) << id;
    EXPECT_GT(resumed.summary().count, 0) << id;
    EXPECT_EQ(resumed.summary().count, whole.summary().count) << id;
    EXPECT_EQ(resumed.summary().episode_steps, whole.summary().episode_steps) << id;
    EXPECT_EQ(resumed.summary().return_sum, whole.summary().return_sum) << id;
  }
}

// An objective becomes NaN after half a second. The spec is at fault, so the Error names the
// objective and its expression.
TEST(Segment, NonFiniteObjectiveIsAnErrorThatNamesIt) {
  const test::ScratchFolder folder;
  std::string spec = test::Contents(sim::BundledFolder() / "point-v0.toml");
  const std::string model = test::Contents(sim::BundledFolder() / "point_mass.xml");
  folder.Write("point_mass.xml", model);
  const std::size_t at = spec.find("expression = \"x_velocity\"");
  ASSERT_NE(at, std::string::npos);
  spec.replace(at, 25, "expression = \"sqrt(0.45 - time)\"");
  spec.replace(spec.find("point-v0"), 8, "root-v0");  // the id of a bundled one is taken
  const sim::Environment environment(sim::FindBundle(folder.Write("bad.toml", spec).string()));
  SegmentRunner runner(environment, {.environments = 2, .group_size = 2});
  Segment good(4, 2, environment);
  runner.Run(0, ConstantPolicy(0, 0.1f), good);
  Segment bad(4, 2, environment);
  EXPECT_THAT(test::ErrorOf([&] { runner.Run(0, ConstantPolicy(0, 0.1f), bad); }),
              AllOf(HasSubstr("'x_velocity'"), HasSubstr("sqrt(0.45 - time)"),
                    HasSubstr("not a finite number")));
}

TEST(EpisodeSummary, SumsByHand) {
  EpisodeSummary total;
  total.Add({.count = 2, .diverged = 1, .episode_steps = 30, .return_sum = {1, 2}});
  total.Add({.count = 1, .diverged = 0, .episode_steps = 5, .return_sum = {10, 20}});
  EXPECT_EQ(total.count, 3);
  EXPECT_EQ(total.diverged, 1);
  EXPECT_EQ(total.episode_steps, 35);
  EXPECT_THAT(total.return_sum, ::testing::ElementsAre(11, 22));
}

}  // namespace
}  // namespace rhumb::rollout
