#include "rhumb/steer/embed.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "rhumb/steer/steerer.h"
#include "tests/net/sample_model.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::steer {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

BehaviourMap Load(const net::Model& model, const MapOptions& options = {}) {
  const test::ScratchFolder folder;
  net::WriteModel(model, folder.path() / "model", core::Existing::kRefuse, {{"seed", 1}});
  return BehaviourMap::Load(folder.path() / "model", options);
}

net::Mlp Chain(const std::vector<std::array<float, 2>>& steps) {
  net::Mlp network(std::vector<int>(steps.size() + 1, 1), net::Activation::kRelu);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    network.SetLayer(i, std::span(&steps[i][0], 1), std::span(&steps[i][1], 1));
  }
  return network;
}

// z = 2 (x - 0.5), s = relu(relu(2 z) + 1), joint = relu(0.5 s - h_0 + 0.5),
// mean = 0.2 relu(3 joint - 1) + 0.5; actions are 3 +- 0.5.
net::Model HandModel() {
  net::Model model = net::SampleModel(
      {.observations = 1, .actions = 1, .deviation_source = net::DeviationSource::kCode});
  model.observations.mean = {0.5f};
  model.observations.inverse_scale = {2};
  model.decoder.state_mlp = Chain({{2, 0}, {1, 1}});
  model.decoder.joint_state = net::Layer(1, 1, std::vector<float>{0.5f}, std::vector<float>{0});
  model.decoder.joint_code =
      net::Layer(6, 1, std::vector<float>{-1, 0, 0, 0, 0, 0}, std::vector<float>{0.5f});
  model.decoder.joint_mlp = Chain({{3, -1}, {0.2f, 0.5f}});
  model.action_centre = {3};
  model.action_half_range = {0.5f};
  return model;
}

double ActOn(CodePolicy& policy, double observation) {
  double action = kNan;
  EXPECT_TRUE(policy.Act(std::span(&observation, 1), std::span(&action, 1)));
  return action;
}

// x = -1: z = -3, s = 1, joint = relu(-1) = 0: mean 0.5, action 3 + 0.5 * 0.5.
// x = 2: z = 3, s = 7, joint = 2, mean = 0.2 * 5 + 0.5 = 1.5, clipped to 1: action 3 + 0.5.
TEST(CodePolicy, ByHand) {
  const BehaviourMap map = Load(HandModel(), {.mode = ActionMode::kMean});
  CodePolicy policy = map.MakePolicy(std::vector<float>{2, 0, 0, 0, 0, 0});
  EXPECT_EQ(ActOn(policy, -1), 3.25);
  EXPECT_EQ(ActOn(policy, 2), 3.5);
}

// At x = 2, s = 7 and joint = 4 - h_0; the action is 3 + 0.5 (0.2 relu(3 joint - 1) + 0.5). From
// h_0 = 4 to 3 in two steps: joint = 0, 0.5, 1.
TEST(CodePolicy, TurnsToAnotherCodeWhileItActs) {
  const BehaviourMap map = Load(HandModel(), {.mode = ActionMode::kMean});
  CodePolicy policy = map.MakePolicy(std::vector<float>{4, 0, 0, 0, 0, 0});
  EXPECT_EQ(ActOn(policy, 2), 3.25);
  const std::vector<float> next = {3, 0, 0, 0, 0, 0};
  const double observation = 2;
  double actions[3] = {};
  const test::AllocationCount allocations;
  ASSERT_TRUE(policy.SetCode(next, 2));
  for (double& action : actions) {
    ASSERT_TRUE(policy.Act(std::span(&observation, 1), std::span(&action, 1)));
  }
  EXPECT_EQ(allocations.since_construction(), 0u);
  // Float32 keeps seven digits.
  EXPECT_THAT(actions, ElementsAre(testing::DoubleNear(3.3, 1e-6), testing::DoubleNear(3.45, 1e-6),
                                   testing::DoubleNear(3.45, 1e-6)));
  EXPECT_FALSE(policy.SetCode(std::vector<float>{1}));
  EXPECT_FALSE(policy.SetCode(next, -1));
  EXPECT_FALSE(policy.SetCode(next, 1'000'001));
  EXPECT_FLOAT_EQ(static_cast<float>(ActOn(policy, 2)), 3.45F) << "a refusal changes nothing";
}

// With log standard deviations far below 0 both modes would act alike, so these come from the code.
TEST(CodePolicy, OfACodeFileActsInItsMode) {
  const net::Model model = HandModel();
  const test::ScratchFolder folder;
  const auto write = [&](const std::string& mode, const std::string& hash) {
    return folder.Write(
        "c.json",
        nlohmann::json{{"code", {2, 0, 0, 0, 0, 0}}, {"mode", mode}, {"model_hash", hash}}.dump());
  };
  const BehaviourMap map = Load(model, {.mode = ActionMode::kSampled});
  CodePolicy mean = map.LoadPolicy(write("mean", net::HashOfCodes(model)));
  EXPECT_EQ(ActOn(mean, -1), 3.25);
  CodePolicy sampled = map.LoadPolicy(write("sampled", net::HashOfCodes(model)));
  EXPECT_NE(ActOn(sampled, -1), 3.25);
  EXPECT_THAT(test::ErrorOf([&] { map.LoadPolicy(write("mean", "0123")); }),
              HasSubstr("c.json has a code of another model"));
  EXPECT_THAT(test::ErrorOf([&] { map.LoadPolicy(write("mean", ""), 0); }),
              HasSubstr("numbered from 1"));
}

// Returns the actions of a rollout's first episode. The environment's range is in double, the rest
// is float32 (rhumb/rollout/code_runner.cc).
std::vector<double> RollOutActions(const net::Model& model, std::span<const float> code,
                                   ActionMode mode, std::uint64_t seed,
                                   const std::vector<double>& observations, double half_range) {
  const net::Decoder& decoder = model.decoder;
  const auto actions = static_cast<std::size_t>(model.action_size());
  std::vector<float> workspace(decoder.workspace_size(1)), prepared(decoder.prepared_size());
  std::vector<float> observation(static_cast<std::size_t>(model.observation_size()));
  std::vector<float> mean(actions), log_deviation(actions);
  std::vector<double> applied;
  decoder.Prepare(code.data(), prepared.data(), workspace);
  const float* pointer = prepared.data();
  for (std::size_t step = 0; step * observation.size() < observations.size(); ++step) {
    model.observations.Apply(&observations[step * observation.size()], 1, observation.data());
    decoder.Forward(observation.data(), &pointer, 1, mean.data(), log_deviation.data(), workspace);
    core::Stream noise(seed, core::Purpose::kAction, 0, 0, static_cast<std::uint32_t>(step));
    for (std::size_t a = 0; a < actions; ++a) {
      const float deviation = std::exp(log_deviation[a]);
      const float raw = mode == ActionMode::kSampled
                            ? mean[a] + deviation * static_cast<float>(noise.Normal())
                            : mean[a];
      applied.push_back(static_cast<float>(half_range * std::clamp<double>(raw, -1, 1)));
    }
  }
  return applied;
}

std::vector<double> DrawObservations(int steps, const BehaviourMap& map) {
  core::Stream noise(5, core::Purpose::kBenchmark);
  std::vector<double> observations(static_cast<std::size_t>(steps * map.observation_size()));
  for (double& number : observations) number = noise.Normal();
  return observations;
}

std::vector<double> ActOnAll(CodePolicy& policy, const BehaviourMap& map,
                             const std::vector<double>& observations) {
  const auto size = static_cast<std::size_t>(map.observation_size());
  const auto actions = static_cast<std::size_t>(map.action_size());
  const std::size_t steps = observations.size() / size;
  std::vector<double> applied(steps * actions, kNan);
  for (std::size_t step = 0; step < steps; ++step) {
    EXPECT_TRUE(policy.Act(std::span(observations).subspan(step * size, size),
                           std::span(applied).subspan(step * actions, actions)));
  }
  return applied;
}

std::vector<float> FirstCode(const net::Model& model) {
  return {model.training.codes.begin(), model.training.codes.begin() + model.code_size()};
}

TEST(CodePolicy, AppliesWhatARollOutAppliesToTheBit) {
  for (const auto source : {net::DeviationSource::kStateAndCode, net::DeviationSource::kCode}) {
    net::Model model = net::SampleModel({.deviation_source = source});
    model.action_half_range.assign(2, 0.4f);
    const std::vector<float> code = FirstCode(model);
    for (const ActionMode mode : {ActionMode::kMean, ActionMode::kSampled}) {
      const BehaviourMap map = Load(model, {.mode = mode});
      const std::vector<double> observations = DrawObservations(200, map);
      CodePolicy policy = map.MakePolicy(code, 11);
      const std::vector<double> actions = ActOnAll(policy, map, observations);
      EXPECT_EQ(actions, RollOutActions(model, code, mode, 11, observations, 0.4));
      // A rounded range would give different actions.
      EXPECT_NE(actions, RollOutActions(model, code, mode, 11, observations, 0.4f));
    }
  }
}

TEST(CodePolicy, AnswersBadInputWithTheCentre) {
  const BehaviourMap map = Load(HandModel());
  CodePolicy policy = map.MakePolicy(std::vector<float>(6, 0), 1);
  CodePolicy undisturbed = map.MakePolicy(std::vector<float>(6, 0), 1);
  for (const std::vector<double>& observation :
       std::vector<std::vector<double>>{{}, {1, 2}, {kNan}, {kInfinity}, {-kInfinity}}) {
    std::vector<double> action{kNan};
    EXPECT_FALSE(policy.Act(observation, action));
    EXPECT_THAT(action, ElementsAre(3));
  }
  const std::array<double, 1> observation{1};
  std::vector<double> too_long{7, 7};
  EXPECT_FALSE(policy.Act(observation, too_long));
  EXPECT_THAT(too_long, ElementsAre(3, 7));
  EXPECT_FALSE(policy.Act(observation, {}));
  // The noise continues unchanged.
  EXPECT_EQ(ActOn(policy, 1), ActOn(undisturbed, 1));
}

TEST(CodePolicy, AnswersAnOverflowingCodeWithTheCentre) {
  net::Model model = HandModel();
  // Two units see the code with opposite signs, which gives infinity minus infinity.
  model.decoder.joint_state = net::Layer(1, 2, std::vector<float>{1, 1}, std::vector<float>{0, 0});
  model.decoder.joint_code = net::Layer(
      6, 2, std::vector<float>{9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, std::vector<float>{0, 0});
  model.decoder.joint_mlp = net::Mlp({2, 1, 1}, net::Activation::kRelu);
  model.decoder.joint_mlp.SetLayer(0, std::vector<float>{1, -1}, std::vector<float>{0});
  model.decoder.joint_mlp.SetLayer(1, std::vector<float>{1}, std::vector<float>{0});
  const BehaviourMap map = Load(model, {.mode = ActionMode::kMean});
  CodePolicy policy = map.MakePolicy(std::vector<float>{3e38f, 0, 0, 0, 0, 0});
  std::vector<double> action{kNan};
  EXPECT_FALSE(policy.Act(std::vector<double>{1}, action));
  EXPECT_THAT(action, ElementsAre(3));
}

TEST(CodePolicy, AllocatesNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  const net::Model model = net::SampleModel();
  const BehaviourMap map = Load(model);
  CodePolicy policy = map.MakePolicy(FirstCode(model));
  const std::array<double, 3> good{0.1, 0.2, 0.3}, bad{0.1, kNan, 0.3};
  std::array<double, 2> action{};
  int acted = 0;
  const test::AllocationCount allocations;
  for (int i = 0; i < 100; ++i) {
    acted += policy.Act(good, action);
    acted += policy.Act(bad, action);
  }
  EXPECT_EQ(allocations.since_construction(), 0u);
  EXPECT_EQ(acted, 100);
}

TEST(CodePolicy, ManyActAtOnceAndOutliveTheirMap) {
  constexpr int kThreads = 4;
  const net::Model model = net::SampleModel();
  std::optional<BehaviourMap> map = Load(model);
  const BehaviourMap sizes = Load(model);
  const std::vector<double> observations = DrawObservations(300, sizes);
  std::vector<CodePolicy> policies;
  std::vector<std::vector<double>> expected, seen(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    const float* code = model.training.codes.data() + i * model.code_size();
    const std::span<const float> row(code, static_cast<std::size_t>(model.code_size()));
    policies.push_back(map->MakePolicy(row, static_cast<std::uint64_t>(i)));
    expected.push_back(RollOutActions(model, row, ActionMode::kSampled,
                                      static_cast<std::uint64_t>(i), observations, 1));
  }
  map.reset();
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] { seen[i] = ActOnAll(policies[i], sizes, observations); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, expected);
}

TEST(BehaviourMap, SaysWhatItIs) {
  const BehaviourMap map = Load(net::SampleModel(), {.mode = ActionMode::kMean, .answers = 3});
  EXPECT_EQ(map.environment(), "sample-v0");
  EXPECT_EQ(map.observation_size(), 3);
  EXPECT_EQ(map.action_size(), 2);
  EXPECT_EQ(map.code_size(), 6);
  EXPECT_EQ(map.options().answers, 3);
  // Mean 10, standard deviation 3, and three standard deviations to each side.
  const MapObjective& second = map.objectives().at(1);
  EXPECT_EQ(second.name, "objective_1");
  EXPECT_EQ(second.unit, "units");
  EXPECT_EQ(second.min, 1);
  EXPECT_EQ(second.max, 19);
  EXPECT_EQ(map.With({.answers = 2}).options().answers, 2);
}

TEST(BehaviourMap, SaysWhatIsWrong) {
  EXPECT_THROW(BehaviourMap::Load("/nowhere/cheetah.model"), std::runtime_error);
  EXPECT_THAT(test::ErrorOf([] { BehaviourMap::Load("/nowhere/cheetah.model"); }),
              HasSubstr("/nowhere/cheetah.model"));
  const BehaviourMap map = Load(net::SampleModel());
  EXPECT_THAT(test::ErrorOf([&] { map.MakePolicy(std::vector<float>(5)); }),
              AllOf(HasSubstr("code of 5"), HasSubstr("have 6")));
  std::vector<float> code(6);
  code[4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(test::ErrorOf([&] { map.MakePolicy(code); }),
              AllOf(HasSubstr("number 4"), HasSubstr("nan")));
  EXPECT_THAT(test::ErrorOf([&] { map.With({.confidence = kNan}); }), HasSubstr("confidence"));
  EXPECT_THAT(test::ErrorOf([&] { map.With({.answers = 0}); }), HasSubstr("answers"));
  EXPECT_THAT(test::ErrorOf([&] { map.Steer({.target = {"objective_7=1"}}); }),
              HasSubstr("objective_7"));
  EXPECT_THAT(test::ErrorOf([&] { map.Steer({.require = {"objective_0"}}); }),
              HasSubstr("objective_0"));
}

TEST(BehaviourMap, SteersAsTheSteererDoes) {
  const net::Model model = net::SampleModel();
  const BehaviourMap map = Load(model, {.answers = 3});
  SteerOptions options = PresetOptions("default");
  options.answers = 3;
  const Steerer steerer(model, net::RolloutMode::kSampled, options);
  // What one of the known codes does.
  const std::vector<double> known = steerer.Assess(model.grounded[0]->rolled_out.code(0)).predicted;
  const std::string target = fmt::format("objective_0={}", known[0]);
  const std::string bound = fmt::format("objective_1>={}", known[1] - 1);
  const Result expected = steerer.Solve(Query().AddTarget(target).AddRequirement(bound));

  const Result result = map.Steer({.target = {target}, .require = {bound}});
  EXPECT_EQ(result.status, expected.status);
  ASSERT_EQ(result.status, Status::kSolved);
  EXPECT_EQ(map.Explain(result), "");
  EXPECT_FALSE(result.infeasibility);
  ASSERT_EQ(result.answers.size(), expected.answers.size());
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    EXPECT_EQ(result.answers[i].code, expected.answers[i].code);
    EXPECT_EQ(result.answers[i].predicted, expected.answers[i].predicted);
    EXPECT_EQ(result.answers[i].distance_to_data, expected.answers[i].distance_to_data);
    ASSERT_EQ(result.answers[i].interval.size(), 2u);
    EXPECT_EQ(result.answers[i].interval[1].low, expected.answers[i].interval[1].low);
    EXPECT_EQ(result.answers[i].interval[1].high, expected.answers[i].interval[1].high);
  }
}

TEST(BehaviourMap, DiagnosesWhatIsOutOfReach) {
  const net::Model model = net::SampleModel();
  const BehaviourMap map = Load(model);
  const Result result = map.Steer({.require = {"objective_0>=2", "2*objective_0<=2"}});
  EXPECT_EQ(result.status, Status::kInfeasible);
  EXPECT_THAT(map.Explain(result), AllOf(HasSubstr("objective_0"), HasSubstr("would do")));

  const Steerer steerer(model, net::RolloutMode::kSampled, PresetOptions("default"));
  const auto query = Query().AddRequirement("objective_0>=2").AddRequirement("2*objective_0<=2");
  const Result expected = steerer.Solve(query);
  ASSERT_TRUE(expected.infeasibility && result.infeasibility);
  const Answer& nearest = result.infeasibility->nearest;
  EXPECT_EQ(nearest.code, expected.infeasibility->nearest.code);
  EXPECT_EQ(nearest.predicted, expected.infeasibility->nearest.predicted);
  EXPECT_EQ(nearest.distance_to_data, steerer.Assess(nearest.code).distance_to_data);
  map.MakePolicy(nearest.code);
}

TEST(BehaviourMap, SteersOnManyThreadsAtOnce) {
  const BehaviourMap map = Load(net::SampleModel());
  const TextQuery query{.maximise = {"objective_0"}};
  const std::vector<float> expected = map.Steer(query).answers.at(0).code;
  std::vector<std::vector<float>> codes(4);
  std::vector<std::thread> threads;
  for (std::vector<float>& code : codes) {
    threads.emplace_back([&] { code = map.Steer(query).answers.at(0).code; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(codes, testing::Each(expected));
}

// A robot's program may go on when memory runs out: loading, steering and acting throw
// std::bad_alloc or an Error, and work again afterwards.
TEST(BehaviourMap, EveryAllocationMayFail) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  const test::ScratchFolder folder;
  const std::filesystem::path model = folder.path() / "model";
  const net::Model sample = net::SampleModel();
  net::WriteModel(sample, model, core::Existing::kRefuse, {{"seed", 1}});
  const net::CodeTable& known =
      sample.grounded[static_cast<std::size_t>(net::RolloutMode::kSampled)]->rolled_out;
  const TextQuery query{.target = {fmt::format("objective_0={}", known.values_of(0)[0])},
                        .require = {fmt::format("objective_1>={}", known.values_of(0)[1] - 1)}};
  const BehaviourMap sound = BehaviourMap::Load(model);
  const std::vector<float> expected = sound.Steer(query).answers.at(0).code;

  std::vector<float> code;
  const std::size_t step = test::AllocationStep(7);
  const std::size_t in_loading =
      test::FailEveryAllocation([&] { BehaviourMap::Load(model).code_size(); }, step);
  const std::size_t in_steering = test::FailEveryAllocation(
      [&] {
        code = sound.Steer(query).answers.at(0).code;
        sound.MakePolicy(code);
        sound.Explain(sound.Steer({.require = {"objective_0>=1000"}}));
      },
      step);
  EXPECT_EQ(code, expected);
  std::printf("allocations that failed: %zu in loading, %zu in steering\n", in_loading,
              in_steering);
  EXPECT_GT(in_loading, 100u);
  EXPECT_GT(in_steering, 10u);
}

}  // namespace
}  // namespace rhumb::steer
