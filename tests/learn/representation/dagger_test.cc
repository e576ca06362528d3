#include "rhumb/learn/representation/dagger.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/file.h"
#include "rhumb/learn/representation/model_plan.h"
#include "rhumb/population/population_description.h"
#include "rhumb/rollout/collector.h"
#include "rhumb/sim/catalogue.h"
#include "tests/learn/training_run.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::representation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::ErrorOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kEpisodeSteps = 100;  // in the point mass

// Pushes along x towards its own target speed, and along y against the speed. All numbers are exact
// in half precision.
net::GaussianPolicy TeacherOf(int agent, int iteration) {
  net::GaussianPolicy policy;
  policy.normaliser.mean = {0.5f, -0.25f};
  policy.normaliser.inverse_scale = {2, 1};
  policy.mean = net::Mlp({2, 2}, net::Activation::kRelu);
  const float push =
      0.5f * static_cast<float>(agent) - 0.5f + 0.0625f * static_cast<float>(iteration / 5);
  policy.mean.SetLayer(0, std::vector<float>{-0.125f, 0, 0, -0.5f},
                       std::vector<float>{push, 0.25f});
  policy.deviation = {0.0625f, 0.125f};
  return policy;
}

// Agents 0, 1 and 2 with their policies of iterations 5 and 10.
void WritePopulation(const fs::path& folder, const sim::Environment& environment, int seed) {
  core::ArtifactWriter writer(folder, "population");
  population::PopulationDescription description{.environment = environment.bundle(),
                                                .objectives = {{"x_velocity", ""}, {"energy", ""}},
                                                .observation_size = 2,
                                                .action_size = 2,
                                                .time_limit = environment.time_limit(),
                                                .weights = {},
                                                .iterations = 10,
                                                .agents = {}};
  for (int agent = 0; agent < 3; ++agent) {
    net::SafetensorsWriter pack;
    for (const int iteration : {5, 10}) {
      TeacherOf(agent, iteration)
          .Write(pack, fmt::format("iteration_{:05}.", iteration), /*half=*/true);
    }
    const std::string file = fmt::format("agents/agent_{:03}.safetensors", agent);
    core::WriteFileAtomically(writer.file(file), pack.Bytes());
    description.weights.push_back({1 - 0.5 * agent, 0.5 * agent});
    description.agents.push_back(
        {.id = agent,
         .weights = description.weights.back(),
         .file = file,
         .kept_iterations = {5, 10},
         .curves = {
             .iterations = {10}, .returns = {{0, 0}}, .episode_length = {1}, .deviation = {1}}});
  }
  population::FinishPopulation(writer, description, {{"seed", seed}});
}

// A population and its dataset of six policies, two episodes each. The second policy of agent 1 and
// the first of agent 2 are not used as teachers.
class DaggerTest : public testing::Test {
 protected:
  DaggerTest() {
    WritePopulation(population(), environment_, 1);
    rollout::CollectRequest request;
    request.population = population();
    request.out = scratch_.path() / "data";
    request.config.steps_per_policy = 2 * kEpisodeSteps;
    request.config.selection.skip_iterations = 0;
    request.config.selection.stationary_fraction = 0;
    request.config.selection.keep_unstable = true;
    request.config.split = {.held_out_checkpoints = 0, .hold_out_weight = false};
    request.job.seed = 3;
    request.job.quiet = true;
    rollout::CollectDataset(request);
    dataset_ = std::make_unique<data::Dataset>(data::Dataset::Open(request.out));
    teachers_ = std::make_unique<Teachers>(population(), *dataset_, std::vector{0, 1, 2, 5});
  }

  fs::path population() const { return scratch_.path() / "population"; }

  VisitRequest RequestFor(const net::Model& model) const {
    return {.environments = {&environment_},
            .dataset = *dataset_,
            .model = model,
            .teachers = *teachers_,
            .episodes = 2,
            .job = {.seed = 7, .threads = 2, .quiet = true}};
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const test::ScratchFolder scratch_;
  std::unique_ptr<data::Dataset> dataset_;
  std::unique_ptr<Teachers> teachers_;
};

TEST_F(DaggerTest, TeachersAreThePoliciesOfTheDataset) {
  ASSERT_EQ(teachers_->count(), 4);
  const int numbers[] = {0, 1, 2, 5}, agents[] = {0, 0, 1, 2}, iterations[] = {5, 10, 5, 10};
  for (int t = 0; t < 4; ++t) {
    EXPECT_EQ(teachers_->policy(t), numbers[t]);
    const net::GaussianPolicy expected = TeacherOf(agents[t], iterations[t]);
    const net::GaussianPolicy& teacher = (*teachers_)[t];
    EXPECT_EQ(teacher.mean.layer(0).weights, expected.mean.layer(0).weights) << t;
    EXPECT_EQ(teacher.mean.layer(0).bias, expected.mean.layer(0).bias) << t;
    EXPECT_EQ(teacher.normaliser.mean, expected.normaliser.mean) << t;
    EXPECT_EQ(teacher.deviation, expected.deviation) << t;
  }
}

// The same policies, made in another run.
TEST_F(DaggerTest, AnotherPopulationIsRefused) {
  WritePopulation(scratch_.path() / "other", environment_, 2);
  EXPECT_THAT(ErrorOf([&] { Teachers(scratch_.path() / "other", *dataset_, {0}); }),
              AllOf(HasSubstr("other is not the population"), HasSubstr("data")));
  EXPECT_NE(ErrorOf([&] { Teachers(scratch_.path() / "data", *dataset_, {0}); }), "");
  EXPECT_NE(ErrorOf([&] { Teachers(scratch_.path() / "nowhere", *dataset_, {0}); }), "");
}

// With a decoder that does not push, speeds fall by 1.01 in each of ten physics steps. The visited
// states therefore differ from the teachers' own, and the teachers' answers there are the targets.
TEST_F(DaggerTest, VisitsOfADecoderThatStandsStill) {
  net::Model model = rollout::EchoModel(dataset_->description(), net::kMinActionLogDeviation);
  model.decoder.joint_code = net::Layer(2, 4);
  model.observations.mean = {0.125f, 0};
  model.observations.inverse_scale = {2, 4};
  const VisitedStates visited = VisitStates(RequestFor(model)).value();
  EXPECT_EQ(visited.observations, 2);
  EXPECT_EQ(visited.actions, 2);
  EXPECT_THAT(visited.counts, ElementsAre(200, 200, 200, 200));
  ASSERT_EQ(visited.states.size(), 2u * 800);
  ASSERT_EQ(visited.means.size(), 2u * 800);
  for (int t = 0; t < 4; ++t) {
    for (std::size_t e = 0; e < 2; ++e) {
      const std::size_t first = 2 * kEpisodeSteps * (2 * static_cast<std::size_t>(t) + e);
      std::vector<double> speeds(2 * kEpisodeSteps);
      for (std::size_t i = 0; i < speeds.size(); ++i) {
        const std::size_t column = i % 2;
        speeds[i] = static_cast<double>(visited.states[first + i]) /
                        static_cast<double>(model.observations.inverse_scale[column]) +
                    static_cast<double>(model.observations.mean[column]);
      }
      // Floats of size 0.3, divided by two.
      EXPECT_NEAR(speeds[20], speeds[0] * std::pow(1.01, -100), 1e-7);
      EXPECT_NEAR(speeds[198], 0, 1e-5);
      std::vector<float> answers(speeds.size());
      net::PolicyActor((*teachers_)[t], kEpisodeSteps)
          .Means(speeds.data(), kEpisodeSteps, answers.data());
      for (std::size_t i = 0; i < answers.size(); ++i) {
        // Speeds are known to 1e-7, and no teacher multiplies them by more than 0.5.
        ASSERT_NEAR(visited.means[first + i], answers[i], 2e-7) << t << ", " << e << ", " << i;
      }
    }
  }
  EXPECT_NE(visited.states[0], visited.states[2 * kEpisodeSteps]) << "each starts elsewhere";
}

// The echo pushes with its teacher's mean push, and the point mass is linear, so its mean speeds
// match. The tolerance allows 0.02 for eight draws of pushes per context and 0.01 for the start.
// Agents lie 0.5 apart.
TEST_F(DaggerTest, EachTeacherIsImitatedFromItsOwnCodes) {
  const net::Model model = rollout::EchoModel(dataset_->description(), net::kMinActionLogDeviation);
  const VisitedStates visited = VisitStates(RequestFor(model)).value();
  data::Episode episode;
  for (std::size_t t = 0; t < 4; ++t) {
    double expected = 0, mean = 0;
    for (const std::int64_t number : {0, 1}) {
      dataset_->ReadEpisode(2 * teachers_->policy(static_cast<int>(t)) + number, episode);
      ASSERT_EQ(episode.policy, teachers_->policy(static_cast<int>(t)));
      for (std::size_t i = 0; i < kEpisodeSteps; ++i) expected += episode.observations[2 * i] / 200;
    }
    for (std::size_t i = 0; i < 200; ++i) mean += visited.states[2 * (200 * t + i)] / 200;
    EXPECT_NEAR(mean, expected, 0.1) << t;
    // The two rollouts use codes of different episodes. They still differ at the end, when the
    // effect of the start has decayed to 1e-5.
    const std::size_t last = 2 * (200 * t + kEpisodeSteps - 1);
    EXPECT_GT(std::abs(visited.states[last] - visited.states[last + 2 * kEpisodeSteps]), 1e-4) << t;
  }
}

TEST_F(DaggerTest, VisitsRepeatWhateverTheThreads) {
  const net::Model model = rollout::EchoModel(dataset_->description(), -3);
  VisitRequest request = RequestFor(model);
  const VisitedStates visited = VisitStates(request).value();
  request.job.threads = 1;
  const VisitedStates again = VisitStates(request).value();
  EXPECT_EQ(again.states, visited.states);
  EXPECT_EQ(again.means, visited.means);
  request.job.seed = 8;
  EXPECT_NE(VisitStates(request).value().states, visited.states);
  request.job.should_stop = [] { return true; };
  EXPECT_FALSE(VisitStates(request));
}

TEST_F(DaggerTest, EveryEnvironmentIsVisited) {
  const net::Model model = rollout::EchoModel(dataset_->description(), -3);
  VisitRequest request = RequestFor(model);
  const VisitedStates once = VisitStates(request).value();
  request.environments.push_back(&environment_);
  const VisitedStates twice = VisitStates(request).value();
  const auto rows = static_cast<std::size_t>(once.counts[0] * once.observations);
  EXPECT_EQ(twice.counts[0], 2 * once.counts[0]);
  EXPECT_EQ(twice.states.size(), 2 * once.states.size());
  const std::vector<float> first(once.states.begin(), once.states.begin() + rows);
  EXPECT_EQ(std::vector(twice.states.begin(), twice.states.begin() + rows), first);
  EXPECT_NE(std::vector(twice.states.begin() + rows, twice.states.begin() + 2 * rows), first)
      << "with noise of its own";
}

// Returns the speed along x that the code pushed towards between a state and the next: damping
// takes 1 / 1.01 in each of 10 physics steps, so v' = a v + (1 - a) goal with a = 1.01^-10.
double GoalBetween(const float* state) {
  const double kept = std::pow(1.01, -10);
  return (state[2] - kept * state[0]) / (1 - kept);
}

// Of a roll-out with changes, the states from the first change on count. The teacher of the code
// that acts answers for each.
TEST_F(DaggerTest, AfterEachChangeTheNewTeacherAnswers) {
  const net::Model model = rollout::EchoModel(dataset_->description(), net::kMinActionLogDeviation);
  VisitRequest request = RequestFor(model);
  const VisitedStates usual = VisitStates(request).value();
  request.changes = true;
  const VisitedStates visited = VisitStates(request).value();
  std::size_t row = 0, more = 0, ends = 0;
  for (std::size_t t = 0; t < 4; ++t) {
    const auto own = static_cast<std::size_t>(usual.counts[t]);
    const auto all = static_cast<std::size_t>(visited.counts[t]);
    // First the states without changes, as if there were none.
    for (std::size_t i = 0; i < 2 * own; ++i) {
      ASSERT_EQ(visited.states[2 * row + i], usual.states[2 * own * t + i]) << t;
    }
    // The goals of the teacher's two codes, each of which acts for a whole roll-out there.
    const double goals[] = {GoalBetween(&usual.states[2 * own * t]),
                            GoalBetween(&usual.states[2 * own * t + own])};
    for (std::size_t i = own; i < all; ++i) {
      const auto* state = &visited.states[2 * (row + i)];
      const std::vector<double> speeds(state, state + 2);
      std::vector<float> answer(2);
      net::PolicyActor((*teachers_)[static_cast<int>(t)], 1).Means(speeds.data(), 1, answer.data());
      ASSERT_NEAR(visited.means[2 * (row + i)], answer[0], 2e-7) << t;
      // One of its codes acts, unless the next state is of another stretch.
      if (i + 1 == all) continue;
      const double goal = GoalBetween(state);
      if (std::min(std::abs(goal - goals[0]), std::abs(goal - goals[1])) > 1e-4) ++ends;
    }
    more += all - own;
    row += all;
  }
  // Eight roll-outs of 100 steps. The first code acts for 4 to 51 of them.
  EXPECT_GE(more, std::size_t{8 * (kEpisodeSteps - 51)});
  EXPECT_LE(more, std::size_t{8 * (kEpisodeSteps - 4)});
  // More than two changes a roll-out, and at least 4 steps from one to the next.
  EXPECT_GT(ends, std::size_t{2 * 8});
  EXPECT_LT(ends, more / 4);
  request.job.threads = 1;
  EXPECT_EQ(VisitStates(request).value().states, visited.states);
}

TEST_F(DaggerTest, VisitedStatesComeBackAsTheyWere) {
  const VisitedStates visited{.observations = 3,
                              .actions = 1,
                              .states = {1, 2, 3, 4, 5, 6},
                              .means = {7, 8},
                              .counts = {0, 2}};
  const fs::path file = scratch_.path() / "visited.safetensors";
  visited.Save(file);
  const VisitedStates read = VisitedStates::Load(file);
  EXPECT_EQ(read.observations, 3);
  EXPECT_EQ(read.actions, 1);
  EXPECT_EQ(read.states, visited.states);
  EXPECT_EQ(read.means, visited.means);
  EXPECT_EQ(read.counts, visited.counts);
  fs::resize_file(file, fs::file_size(file) - 1);
  EXPECT_THAT(ErrorOf([&] { VisitedStates::Load(file); }), HasSubstr("visited.safetensors"));
}

// Two rounds, whose rows are sorted by teacher; teachers 1 and 2 each lack rows in one of them.
// Means are clamped to 1 + 2 * 0.0625 and 1 + 2 * 0.125.
TEST_F(DaggerTest, TargetsAreStretchesPerTeacher) {
  const VisitedStates first{.observations = 2,
                            .actions = 2,
                            .states = {1, 1, 2, 2, 3, 3, 4, 4},
                            .means = {0.5f, 9, -9, 0.5f, 0.3f, 0.3f, 0.4f, 0.4f},
                            .counts = {2, 0, 1, 1}};
  const VisitedStates second{.observations = 2,
                             .actions = 2,
                             .states = {5, 5, 6, 6, 7, 7},
                             .means = {0.5f, 0.5f, 0.6f, 0.6f, 0.7f, 0.7f},
                             .counts = {1, 1, 0, 1}};
  const VisitedTargets visited = MakeTargets({first, second}, *teachers_, torch::kCPU);
  EXPECT_TRUE(torch::equal(visited.stretches.starts, torch::tensor({0, 3, 4, 5}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(visited.stretches.lengths, torch::tensor({3.0f, 1.0f, 1.0f, 2.0f})));
  const torch::Tensor order = torch::tensor({1.0f, 2.0f, 5.0f, 6.0f, 3.0f, 4.0f, 7.0f});
  EXPECT_TRUE(torch::equal(visited.targets.states, order.unsqueeze(1).expand({7, 2})));
  const torch::Tensor means = torch::tensor({0.5f, 1.25f, -1.125f, 0.5f, 0.5f, 0.5f, 0.6f, 0.6f,
                                             0.3f, 0.3f, 0.4f, 0.4f, 0.7f, 0.7f})
                                  .view({7, 2});
  // e^(log x) equals x up to rounding.
  EXPECT_TRUE(torch::allclose(visited.targets.means, means, 0, 1e-6)) << visited.targets.means;
  EXPECT_TRUE(torch::equal(visited.targets.log_deviations,
                           torch::tensor({0.0625f, 0.125f}).log().expand({7, 2})));

  EXPECT_THAT(ErrorOf([&] { MakeTargets({first}, *teachers_, torch::kCPU); }),
              AllOf(HasSubstr("policy 1"), HasSubstr("diverged")));
}

// A small decoder that learns from the dataset and from the echo's visited states.
class DecoderTrainerTest : public DaggerTest {
 protected:
  DecoderTrainerTest() {
    config_.batch = 4;
    config_.context = 8;
    config_.queries = 7;  // four from the data, four from the visits
    config_.code = 8;
    config_.projection = 2;
    config_.layers = 1;
    config_.attention_heads = 2;
    config_.hidden = 16;
    config_.dagger.steps = 200;
    config_.dagger.learning_rate = 5e-3;
    plan_ = PlanModel(*dataset_, config_);
    set_ = LoadTrainingSet(*dataset_, plan_.episodes, plan_.labels, plan_.scaling,
                           plan_.target_kind, torch::kCPU);
    teachers_ = std::make_unique<Teachers>(population(), *dataset_, std::vector{0, 1, 2, 3, 4, 5});
    net::Model model = rollout::EchoModel(dataset_->description(), -3);
    model.observations = plan_.scaling.observations;
    visited_ = MakeTargets({VisitStates(RequestFor(model)).value()}, *teachers_, torch::kCPU);
  }

  std::unique_ptr<RepresentationNetwork> MakeNetwork() const {
    auto network = std::make_unique<RepresentationNetwork>(config_, plan_.shape);
    network->Initialise(1);
    return network;
  }
  std::unique_ptr<DecoderTrainer> MakeTrainer(RepresentationNetwork& network, int round = 0) const {
    return std::make_unique<DecoderTrainer>(config_, plan_.shape, network, set_, visited_,
                                            *teachers_, round, torch::kCPU, /*seed=*/1);
  }

  const ThreadCount one_{1};
  RepresentationConfig config_;
  ModelPlan plan_;
  TrainingSet set_;
  VisitedTargets visited_;
};

TEST_F(DecoderTrainerTest, TheDecoderLearnsAndNothingElseDoes) {
  const std::unique_ptr<RepresentationNetwork> network = MakeNetwork();
  const std::vector<torch::Tensor> encoder = Copies(network->encoder->parameters());
  const std::vector<torch::Tensor> projections = Copies(network->projections->parameters());
  const std::vector<torch::Tensor> decoder = Copies(network->decoder->parameters());
  const std::unique_ptr<DecoderTrainer> trainer = MakeTrainer(*network);
  trainer->Run(20);
  EXPECT_EQ(trainer->step(), 20);
  const double first = trainer->loss();
  trainer->Run(160);
  trainer->Run(20);
  EXPECT_LT(trainer->loss(), 0.5 * first);
  EXPECT_GT(trainer->loss(), 0);
  EXPECT_EQ(trainer->skipped(), 0);
  EXPECT_TRUE(AllEqual(network->encoder->parameters(), encoder));
  EXPECT_TRUE(AllEqual(network->projections->parameters(), projections));
  EXPECT_FALSE(AllEqual(network->decoder->parameters(), decoder));

  const std::vector<torch::Tensor> at_the_end = Copies(network->decoder->parameters());
  trainer->Run(5);
  EXPECT_EQ(trainer->step(), 200) << "not beyond the round's end";
  EXPECT_TRUE(AllEqual(network->decoder->parameters(), at_the_end));
}

// Spoils the rows of one of six teachers: in the visits, in the data, or in both. Two contexts
// include it in 1 - (5/6)^2 = 31 % of the steps; 5 standard deviations of 200 steps are 33.
TEST_F(DecoderTrainerTest, BothKindsOfStatesAreAsked) {
  config_.batch = 1;
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const torch::Tensor visited = visited_.targets.means.clone();
  const torch::Tensor seen = set_.targets.means.clone();
  const auto skipped = [&](bool spoil_visits, bool spoil_data) {
    visited_.targets.means.copy_(visited);
    set_.targets.means.copy_(seen);
    if (spoil_visits) visited_.targets.means.narrow(0, 3 * 200, 200).fill_(kNaN);
    if (spoil_data) set_.targets.means.narrow(0, 3 * 200, 200).fill_(kNaN);
    const std::unique_ptr<RepresentationNetwork> network = MakeNetwork();
    const std::unique_ptr<DecoderTrainer> trainer = MakeTrainer(*network);
    trainer->Run(200);
    for (const torch::Tensor& weights : network->decoder->parameters()) {
      EXPECT_TRUE(weights.isfinite().all().item<bool>());
    }
    EXPECT_TRUE(std::isfinite(trainer->loss()));
    return trainer->skipped();
  };
  for (const int queries : {7, 1}) {
    config_.queries = queries;
    EXPECT_EQ(skipped(false, false), 0);
    const double by_visits = skipped(true, false);
    EXPECT_NEAR(by_visits, 61, 33) << queries;
    EXPECT_EQ(skipped(false, true), by_visits) << "a teacher's visits go with its episodes";
    EXPECT_EQ(skipped(true, true), by_visits);
  }
}

TEST_F(DecoderTrainerTest, GoesOnToTheBitAfterARestore) {
  const ThreadCount two(2);
  const std::unique_ptr<RepresentationNetwork> network = MakeNetwork(), fresh = MakeNetwork();
  const std::unique_ptr<DecoderTrainer> whole = MakeTrainer(*network),
                                        resumed = MakeTrainer(*fresh);
  whole->Run(7);
  net::SafetensorsWriter out;
  whole->SaveState(out);
  const fs::path file = scratch_.Write("state.safetensors", out.Bytes());
  resumed->RestoreState(net::SafetensorsFile(file));
  EXPECT_EQ(resumed->step(), 7);
  EXPECT_TRUE(AllEqual(fresh->decoder->parameters(), network->decoder->parameters()));
  whole->Run(9);
  resumed->Run(9);
  EXPECT_TRUE(AllEqual(fresh->decoder->parameters(), network->decoder->parameters()));
  EXPECT_EQ(resumed->loss(), whole->loss());
  EXPECT_EQ(resumed->step(), 16);
}

// Each round starts again from step 0, with different noise.
TEST_F(DecoderTrainerTest, RoundsDiffer) {
  const std::unique_ptr<RepresentationNetwork> a = MakeNetwork(), b = MakeNetwork(),
                                               c = MakeNetwork();
  MakeTrainer(*a, 0)->Run(3);
  MakeTrainer(*b, 0)->Run(3);
  MakeTrainer(*c, 1)->Run(3);
  EXPECT_TRUE(AllEqual(a->decoder->parameters(), b->decoder->parameters()));
  EXPECT_FALSE(AllEqual(a->decoder->parameters(), c->decoder->parameters()));
}

}  // namespace
}  // namespace rhumb::learn::representation
