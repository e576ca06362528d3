#include "rhumb/rollout/code_runner.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/file.h"
#include "rhumb/data/dataset.h"
#include "rhumb/data/dataset_writer.h"
#include "rhumb/rollout/episode_encoder.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/net/sample_model.h"
#include "tests/population/sample_population.h"
#include "tests/rollout/echo_model.h"
#include "tests/rollout/numberless_point.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {
namespace {

using net::RolloutMode;
using test::ErrorOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;
using testing::Pair;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

sim::Environment Point() { return sim::Environment(sim::FindBundle("point-v0", "two")); }

net::Model EchoModelOf(const sim::Environment& environment, float log_deviation = 0) {
  return EchoModel(DescribeRecordings(environment), log_deviation);
}

net::Model RandomModelOf(const sim::Environment& environment) {
  std::vector<std::string> objectives;
  for (const sim::ObjectiveSpec& objective : environment.objectives()) {
    objectives.push_back(objective.name);
  }
  return net::SampleModelOf(
      environment.bundle(), objectives,
      {.observations = environment.observation_size(), .actions = environment.action_size()});
}

// Without a push the speed decays by 1 / (1 + 0.01) in each of 1000 physics steps of 0.01 s. The
// mean speeds over 100 control steps of 0.1 s therefore add up to 10 v_0 (1 - 1.01^-1000). A push
// of 0.5 costs 0.25 per step.
TEST(CodeRunner, ValuesByHand) {
  const sim::Environment environment = Point();
  const std::vector<float> codes = {0, 0, 0.5F, 0};
  std::vector<double> first_speeds(4);
  CodeRunOptions options{.mode = RolloutMode::kMean, .episodes = 2, .job = {.quiet = true}};
  options.on_episode = [&](int code, int episode, const data::Episode& recorded) {
    data::CheckShape(recorded, DescribeRecordings(environment).shape(), "here");
    EXPECT_EQ(recorded.policy, code);
    EXPECT_EQ(recorded.actions[0], code == 0 ? 0 : 0.5F);
    first_speeds[static_cast<std::size_t>(2 * code + episode)] = recorded.observations[0];
  };
  const CodeRun run = RollOutCodes(environment, EchoModelOf(environment), codes, options).value();
  EXPECT_EQ(run.codes, 2);
  EXPECT_EQ(run.episodes, 2);
  EXPECT_EQ(run.objectives, 2);
  EXPECT_THAT(run.lengths, ElementsAre(100, 100, 100, 100));
  EXPECT_THAT(run.diverged, Each(0));
  for (std::size_t e = 0; e < 2; ++e) {
    // The recorded speed is rounded to float32: 10 * 0.1 * 2^-25.
    EXPECT_NEAR(run.values[2 * e], 10 * first_speeds[e] * (1 - std::pow(1.01, -1000)), 1e-7);
    EXPECT_EQ(run.values[2 * e + 1], 0);
    EXPECT_NEAR(run.values[4 + 2 * e + 1], -25, 1e-12);
  }
  EXPECT_NE(first_speeds[0], first_speeds[1]);
  EXPECT_NE(first_speeds[0], first_speeds[2]);
}

// 7 steps with a push of 0.5, or the environment's maximum.
TEST(CodeRunner, EpisodesEndWhenTold) {
  const sim::Environment environment = Point();
  for (const auto& [limit, steps] : {std::pair(7, 7), std::pair(1000, 100), std::pair(0, 100)}) {
    const CodeRun run =
        RollOutCodes(
            environment, EchoModelOf(environment), std::vector<float>{0.5F, 0},
            {.mode = RolloutMode::kMean, .episodes = 2, .steps = limit, .job = {.quiet = true}})
            .value();
    EXPECT_THAT(run.lengths, ElementsAre(steps, steps));
    EXPECT_EQ(run.values[1], -0.25 * steps);
    EXPECT_THAT(run.diverged, Each(0));
  }
}

// 40 steps and the 60 that go on from there are the whole episode.
TEST(CodeRunner, GoesOnFromASavedState) {
  const sim::Environment environment = Point();
  const net::Model model = EchoModelOf(environment);
  const std::vector<float> codes = {0.5F, 0, -0.25F, 0.5F};
  CodeRunOptions options{
      .mode = RolloutMode::kMean, .episodes = 2, .save_at = 40, .job = {.quiet = true}};
  const CodeRun whole = RollOutCodes(environment, model, codes, options).value();
  EXPECT_THAT(whole.saved, Each(1));
  options.steps = 40;
  const CodeRun begun = RollOutCodes(environment, model, codes, options).value();
  EXPECT_EQ(begun.states, whole.states);
  // One state per code: that of its first episode.
  const std::size_t size = begun.states.size() / 4;
  std::vector<double> states(begun.states.begin(),
                             begun.states.begin() + static_cast<std::ptrdiff_t>(size));
  states.insert(states.end(), begun.states.begin() + static_cast<std::ptrdiff_t>(2 * size),
                begun.states.begin() + static_cast<std::ptrdiff_t>(3 * size));
  const CodeRun rest =
      RollOutCodes(
          environment, model, codes,
          {.mode = RolloutMode::kMean, .states = states, .save_at = 60, .job = {.quiet = true}})
          .value();
  EXPECT_THAT(rest.lengths, ElementsAre(60, 60));
  EXPECT_THAT(rest.saved, Each(0)) << "the episode has ended";
  for (std::size_t code = 0; code < 2; ++code) {
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(rest.values[2 * code + k] + begun.values[4 * code + k],
                  whole.values[4 * code + k], 1e-9);
    }
  }
}

// A decoder with a constant push and standard deviation e^0 equals a policy with standard deviation
// 1. Code 3 uses the streams of policy 3.
TEST(CodeRunner, ActsAsThePolicyThatItIs) {
  const sim::Environment environment(sim::FindBundle("mo-hopper-v5"));
  const std::vector<double> weights(3, 0.0);
  const std::vector<data::Episode> expected =
      EpisodeRecorder(environment, {.seed = 8, .steps = 60, .min_episode_steps = 1, .batch = 1})
          .Record({population::ConstantPolicy(11, {0.25F, -0.5F, 0.1F}, 1), 3, weights},
                  [](int) { return true; });
  ASSERT_GE(expected.size(), 2u);
  std::vector<float> codes(9, 0);
  codes.insert(codes.end(), {0.25F, -0.5F, 0.1F});
  int compared = 0;
  CodeRunOptions options{.episodes = static_cast<int>(expected.size()),
                         .job = {.seed = 8, .quiet = true}};
  options.on_episode = [&](int code, int episode, const data::Episode& recorded) {
    if (code != 3) return;
    ++compared;
    const data::Episode& policy = expected[static_cast<std::size_t>(episode)];
    for (const data::FieldLayout& layout : data::LayoutOf({})) {
      if (layout.may_be_constant) continue;
      EXPECT_EQ(recorded.*layout.values, policy.*layout.values) << layout.name;
    }
    EXPECT_THAT(recorded.action_stds, Each(1));
    EXPECT_EQ(recorded.terminations, policy.terminations);
    EXPECT_EQ(recorded.returns, policy.returns);
  };
  const CodeRun run = RollOutCodes(environment, EchoModelOf(environment), codes, options).value();
  EXPECT_EQ(compared, options.episodes);
  for (std::size_t e = 0; e < expected.size(); ++e) {
    const std::size_t job = 3 * expected.size() + e;
    EXPECT_EQ(run.lengths[job], expected[e].steps());
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(run.values[job * 3 + k], expected[e].returns[k]);
    }
  }
}

// Hoppers fall after different times, so jobs are taken in another order.
TEST(CodeRunner, NeitherThreadsNorBatchChangeANumber) {
  const sim::Environment environment(sim::FindBundle("mo-hopper-v5"));
  const net::Model model = RandomModelOf(environment);
  net::SampleWeights weights(5);
  const std::vector<float> codes = weights.Draw(7 * model.code_size());
  const auto run = [&](int threads, int batch, RolloutMode mode = RolloutMode::kSampled) {
    return RollOutCodes(environment, model, codes,
                        {.mode = mode,
                         .episodes = 3,
                         .batch = batch,
                         .job = {.seed = 4, .threads = threads, .quiet = true}})
        .value();
  };
  const CodeRun one = run(1, 1);
  for (const auto& [threads, batch] : {std::pair(1, 16), std::pair(2, 3), std::pair(5, 16)}) {
    const CodeRun other = run(threads, batch);
    EXPECT_EQ(other.values, one.values) << threads << " threads, batch " << batch;
    EXPECT_EQ(other.lengths, one.lengths);
  }
  EXPECT_NE(one.lengths[0], one.lengths[1]);
  EXPECT_NE(run(1, 1, RolloutMode::kMean).values, one.values);
}

TEST(CodeRunner, AttributesAreThoseOfTheRecording) {
  const sim::Environment environment = Point();
  const data::DatasetDescription recordings = DescribeRecordings(environment);
  net::Model model = EchoModel(recordings, -1);
  for (const char* text : {"mean(x_velocity)", "max(sum_abs_action)", "std(next_obs_0 - obs_0)",
                           "sum(reward_energy)", "min(action_1)"}) {
    net::ModelObjective& objective = model.description.objectives.emplace_back();
    objective.name = text;
    objective.expression = text;
  }
  const test::ScratchFolder scratch;
  data::DatasetWriter writer(scratch.path() / "d", recordings);
  for (int code = 0; code < 3; ++code) writer.AddPolicy({});
  std::vector<std::pair<int, int>> written;
  CodeRunOptions options{.episodes = 2, .job = {.quiet = true}};
  options.on_episode = [&](int code, int episode, const data::Episode& recorded) {
    writer.Append(recorded);
    written.emplace_back(code, episode);
  };
  const CodeRun run =
      RollOutCodes(environment, model, std::vector<float>{0.5F, 0, -0.25F, 0.75F, 0, 0}, options)
          .value();
  writer.Commit({{"seed", 0}});
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  const std::vector<double> labels =
      LabelEpisodes(model.description, dataset, dataset.AllEpisodes());
  ASSERT_EQ(labels.size(), 6u * 7u);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto [code, episode] = written[i];
    for (std::size_t k = 0; k < 7; ++k) {
      EXPECT_EQ(run.values[static_cast<std::size_t>(2 * code + episode) * 7 + k], labels[i * 7 + k])
          << model.description.objectives[k].name;
    }
  }
  // The return is summed before rounding, the attribute after it: 100 rewards below 4.
  EXPECT_NEAR(run.values[1], run.values[5], 100 * 4 * 0x1p-24);
}

TEST(CodeRunner, MeansLeaveDivergedEpisodesOut) {
  const CodeRun run{.codes = 3,
                    .episodes = 2,
                    .objectives = 1,
                    .values = {1, 3, 5, kNaN, kNaN, kNaN},
                    .lengths = {9, 9, 9, 1, 1, 1},
                    .diverged = {0, 0, 0, 1, 1, 1}};
  EXPECT_THAT(run.Means(), ElementsAre(2, 5, IsNan()));
  EXPECT_THAT(run.Deviations(), ElementsAre(std::sqrt(2.0), 0, IsNan()));
}

TEST(CodeRunner, ActionsThatAreNoNumberDiverge) {
  const sim::Environment environment = Point();
  net::Model model = EchoModelOf(environment);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  model.decoder.joint_mlp.SetLayer(0, std::vector<float>(16, 0), std::vector<float>{nan, 0, 0, 0});
  CodeRunOptions options{.job = {.quiet = true}};
  options.on_episode = [](int, int, const data::Episode&) { ADD_FAILURE() << "an episode"; };
  const CodeRun run = RollOutCodes(environment, model, std::vector<float>{0, 0}, options).value();
  EXPECT_THAT(run.diverged, ElementsAre(1));
  EXPECT_THAT(run.lengths, ElementsAre(1));
  EXPECT_THAT(run.values, ElementsAre(IsNan(), IsNan()));
}

// Two threads play one episode of 100 steps each. 250 steps complete two episodes, or one if the
// threads share them.
TEST(CodeRunner, StopsWhenTold) {
  const sim::Environment environment = Point();
  std::atomic<int> asked = 0, played = 0;
  CodeRunOptions options{.episodes = 4, .batch = 1, .job = {.threads = 2, .quiet = true}};
  options.job.should_stop = [&] { return ++asked > 250; };
  options.on_episode = [&](int, int, const data::Episode& recorded) {
    EXPECT_EQ(recorded.steps(), 100);
    ++played;
  };
  EXPECT_FALSE(
      RollOutCodes(environment, EchoModelOf(environment), std::vector<float>{0, 0}, options));
  EXPECT_LE(asked, 253);
  EXPECT_GE(played, 1);
  EXPECT_LE(played, 2);
}

TEST(CodeRunner, NoCodesAreNoWork) {
  const sim::Environment environment = Point();
  const CodeRun run =
      RollOutCodes(environment, EchoModelOf(environment), {}, {.job = {.quiet = true}}).value();
  EXPECT_EQ(run.codes, 0);
  EXPECT_TRUE(run.values.empty() && run.Means().empty());
}

// Neither steps nor episodes allocate: 20 episodes allocate as much as 4.
TEST(CodeRunner, WarmRunsAllocateNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  const sim::Environment environment = Point();
  net::Model model = RandomModelOf(environment);
  net::ModelObjective& objective = model.description.objectives.emplace_back();
  objective.name = "pace";
  objective.expression = "mean(x_velocity * y_velocity)";
  const std::vector<float> codes(static_cast<std::size_t>(2 * model.code_size()), 0.1F);
  const auto allocations = [&](int episodes) {
    const test::AllocationCount count;
    RollOutCodes(environment, model, codes,
                 {.episodes = episodes, .batch = 2, .job = {.quiet = true}});
    return count.since_construction();
  };
  allocations(2);
  EXPECT_EQ(allocations(10), allocations(2));
}

TEST(CodeRunner, BadCodesAndAttributesAreSaid) {
  const sim::Environment environment = Point();
  net::Model model = EchoModelOf(environment);
  const auto error_of = [&](std::vector<float> codes) {
    return ErrorOf([&] { RollOutCodes(environment, model, codes, {.job = {.quiet = true}}); });
  };
  EXPECT_EQ(error_of({0, 0, 0, std::numeric_limits<float>::infinity()}),
            "code 1 has a number that is not finite");
  net::ModelObjective& objective = model.description.objectives.emplace_back();
  objective.name = "pace";
  objective.expression = "mean( ln(x_velocity - 100) )";
  EXPECT_THAT(error_of({0, 0}), HasSubstr("is not finite in step 0"));
  objective.expression = "mean(2 * reward)";
  EXPECT_THAT(error_of({0, 0}), HasSubstr("'mean(2 * reward)' needs the scalar reward"));
  objective.expression = "mean(x_velocty)";
  EXPECT_THAT(error_of({0, 0}),
              HasSubstr("objective 'pace' of the model: unknown name 'x_velocty'"));
  objective.expression = "";
  EXPECT_THAT(error_of({0, 0}),
              HasSubstr("'point-v0' with the rewards 'two' lacks the model's objective 'pace'"));
}

TEST(CodeRunner, AnObjectiveThatIsNoNumberIsNamed) {
  const test::ScratchFolder scratch;
  const sim::Environment environment = NumberlessPoint(scratch);
  const net::Model model = EchoModelOf(environment);
  for (const int threads : {1, 2}) {
    EXPECT_THAT(ErrorOf([&] {
                  RollOutCodes(environment, model, std::vector<float>(40, 0),
                               {.batch = 4, .job = {.threads = threads, .quiet = true}});
                }),
                HasSubstr("is not a finite number in a step of code"));
  }
}

TEST(MakeEnvironment, FindsTheModelsOwn) {
  const sim::Environment environment = Point();
  const sim::Environment found = MakeEnvironment(EchoModelOf(environment));
  EXPECT_EQ(found.id(), "point-v0");
  EXPECT_EQ(found.rewards(), "two");
  EXPECT_EQ(found.bundle().hash(), environment.bundle().hash());
}

TEST(MakeEnvironment, WhatDoesNotFitIsSaid) {
  const sim::Environment environment = Point();
  const net::Model good = EchoModelOf(environment);
  const auto error_of = [](const net::Model& model) {
    return ErrorOf([&] { MakeEnvironment(model); });
  };
  net::Model model = good;
  model.description.environment.rewards = "four";
  EXPECT_THAT(error_of(model), HasSubstr("environment 'point-v0' has no reward preset 'four'"));
  model = good;
  model.description.environment.files.clear();
  EXPECT_THAT(error_of(model), HasSubstr("the model has no environment to act in"));
  model = good;
  model.description.environment.files.erase("point_mass.xml");
  EXPECT_THAT(error_of(model), HasSubstr("point_mass.xml"));
  model = good;
  model.decoder.state_mlp = net::Mlp({5, 1}, net::Activation::kRelu);
  EXPECT_EQ(error_of(model),
            "the model maps 5 observations to 2 actions; its environment 'point-v0' has 2 and 2");
  model = good;
  model.action_half_range[1] = 0.5F;
  EXPECT_EQ(error_of(model),
            "action 1 of 'point-v0' is 0 +- 1; the model was trained with 0 +- 0.5");
  model = good;
  model.description.objectives[1].name = "enregy";
  EXPECT_THAT(error_of(model), HasSubstr("did you mean 'energy'?"));
  model.description.objectives[1].expression = "mean(hieght)";
  EXPECT_THAT(error_of(model), HasSubstr("unknown name 'hieght'"));
}

// The echo model's action is its code: 0 for 40 steps, half way at step 40, then 0.5.
TEST(CodeRunner, FollowsChanges) {
  const sim::Environment environment = Point();
  const net::Model model = EchoModelOf(environment);
  CodeRunOptions options{.mode = RolloutMode::kMean,
                         .episodes = 2,
                         .changes = {{}, {{40, {0.5F, 0}, 2}, {90, {0, 0}, 0}}},
                         .job = {.quiet = true}};
  options.on_episode = [&](int code, int, const data::Episode& recorded) {
    const auto action = [&](std::size_t step) { return recorded.actions[2 * step]; };
    for (const std::size_t step : {0, 39}) EXPECT_EQ(action(step), 0);
    EXPECT_EQ(action(40), code == 0 ? 0 : 0.25F);
    for (const std::size_t step : {41, 89}) EXPECT_EQ(action(step), code == 0 ? 0 : 0.5F);
    for (const std::size_t step : {90, 99}) EXPECT_EQ(action(step), 0);
  };
  const std::vector<float> codes(4);
  const CodeRun run = RollOutCodes(environment, model, codes, options).value();
  // One step of 0.25 and 49 of 0.5, squared.
  EXPECT_NEAR(run.values[5], -(0.0625 + 49 * 0.25), 1e-12);
  EXPECT_EQ(run.values[1], 0);

  const auto complaint = [&](CodeChange change) {
    options.changes[1] = {{40, {0, 0}, 0}, std::move(change)};
    return ErrorOf([&] { RollOutCodes(environment, model, codes, options); });
  };
  EXPECT_THAT(complaint({39, {0, 0}, 0}), HasSubstr("must ascend"));
  EXPECT_THAT(complaint({50, {0}, 0}), HasSubstr("has 1 numbers"));
  EXPECT_THAT(complaint({50, {0, static_cast<float>(kNaN)}, 0}), HasSubstr("not finite"));
  EXPECT_THAT(complaint({50, {0, 0}, -1}), HasSubstr("takes -1 steps"));
}

}  // namespace
}  // namespace rhumb::rollout
