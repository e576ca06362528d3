#include "rhumb/learn/representation/model_assembly.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/rollout/echo_folders.h"

namespace rhumb::learn::representation {
namespace {

using nlohmann::json;

RepresentationConfig SmallModelConfig() {
  RepresentationConfig config;
  config.context = 8;
  config.code = 8;
  config.attention_heads = 2;
  config.layers = 1;
  config.projection = 2;
  config.hidden = 16;
  return config;
}

// The echo's networks, whose code is the mean of eight actions, completed to a model.
struct EchoAssembly {
  static constexpr std::uint64_t kSeed = 5;

  EchoAssembly() : model(rollout::EchoModel(dataset.description(), /*log_deviation=*/-3)) {
    model.description = plan.description;
    model.projections = {.labels = 2,
                         .code_size = 2,
                         .size = 2,
                         .weights = {1, 0, 0, 1, 1, 0, 0, 1},
                         .bias = std::vector<float>(4, 0)};
    metrics = CompleteModel(dataset, plan, SmallModelConfig(), kSeed, /*threads=*/2, model);
  }

  const rollout::EchoFolders folders;
  const data::Dataset dataset = data::Dataset::Open(folders.data());
  const ModelPlan plan = PlanModel(dataset, SmallModelConfig());
  net::Model model;
  json metrics;
};

// Policy i pushes with (0.05 i - 0.2, 0.3). The mean of a context varies by 0.05 / sqrt 8; five
// times that is 0.09. Posteriors have the minimum width, e^-10.
TEST(ModelAssembly, TrainingCodesByHand) {
  const EchoAssembly made;
  const net::CodeTable& training = made.model.training;
  ASSERT_EQ(training.count(), 20);
  EXPECT_EQ(training.objectives, 2);
  double norms = 0;
  for (std::size_t e = 0; e < 20; ++e) {
    EXPECT_EQ(training.policies[e], static_cast<std::int64_t>(e / 2));
    EXPECT_EQ(training.agents[e], made.dataset.index().policies[e / 2].agent);
    const float x = training.codes[2 * e], y = training.codes[2 * e + 1];
    EXPECT_NEAR(x, 0.05 * static_cast<double>(e / 2) - 0.2, 0.09) << e;
    EXPECT_NEAR(y, 0.3, 0.09) << e;
    norms += std::hypot(x, y) / 20;
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(training.values[2 * e + k], static_cast<float>(made.plan.labels[2 * e + k]));
    }
  }
  EXPECT_NEAR(made.metrics["code_norm"].get<double>(), norms, 1e-6);
  EXPECT_NEAR(made.metrics["code_deviation"].get<double>(), std::exp(-10.0), 1e-10);
  // The pushes vary only along x.
  ASSERT_EQ(made.model.map.directions.size(), 4u);
  EXPECT_GT(made.model.map.directions[0], 0.99f);
}

// The speed is linear in the push. A context of eight misses 1.5 % of the push's variance (0.05^2 /
// 8 against 0.144^2), and the start speed, up to 0.1, adds a little.
TEST(ModelAssembly, HeadsKnowTheSpeed) {
  const EchoAssembly made;
  for (const char* split : {"train", "held_out_checkpoint", "held_out_weight"}) {
    const double error = made.metrics["head_mse"][split]["x_velocity"].get<double>();
    EXPECT_GT(error, 0) << split;
    EXPECT_LT(error, 0.1) << split;
  }
  EXPECT_EQ(made.metrics["head_mse"].size(), 3u);
}

// Compares (value - mean) / std with the heads' prediction. Uses two new contexts of every held-out
// episode, and the eight contexts to which the heads were fitted.
TEST(ModelAssembly, ErrorsAreMeansOverEpisodesAndDraws) {
  const EchoAssembly made;
  const net::Model& model = made.model;
  for (const data::Split split : {data::Split::kTrain, data::Split::kHeldOutCheckpoint}) {
    const int draws = split == data::Split::kTrain ? 8 : 2;
    const std::vector<std::int64_t> episodes = made.dataset.EpisodesOf(split);
    const std::vector<float> codes = rollout::EncodeEpisodes(
        model, rollout::LoadContexts(made.dataset, model, episodes),
        {.kind = rollout::CodeKind::kPosteriorSample, .draws = draws, .seed = made.kSeed});
    double sum = 0;
    for (std::size_t e = 0; e < episodes.size(); ++e) {
      const net::ModelObjective& energy = model.description.objectives[1];
      const double value =
          made.dataset.index().episodes[static_cast<std::size_t>(episodes[e])].returns[1];
      for (std::size_t d = 0; d < static_cast<std::size_t>(draws); ++d) {
        float predicted[2];
        model.heads.Predict(codes.data() + (e * static_cast<std::size_t>(draws) + d) * 2, 1,
                            predicted);
        const double miss = predicted[1] - (value - energy.mean) / energy.std;
        sum += miss * miss / draws / static_cast<double>(episodes.size());
      }
    }
    const json& errors = made.metrics["head_mse"][std::string(data::NameOf(split))];
    // Values and predictions of size 1 are rounded to float.
    EXPECT_NEAR(errors["energy"].get<double>(), sum, 1e-6);
  }
}

// The resulting model can be stored and read back, and gives the same codes.
TEST(ModelAssembly, ANetworkBecomesAWholeModel) {
  const rollout::EchoFolders folders;
  const data::Dataset dataset = data::Dataset::Open(folders.data());
  const RepresentationConfig config = SmallModelConfig();
  const ModelPlan plan = PlanModel(dataset, config);
  RepresentationNetwork network(config, plan.shape);
  network.Initialise(1);
  net::Model model = ExportNetworks(plan, network);
  EXPECT_EQ(model.observation_size(), 2);
  EXPECT_EQ(model.action_size(), 2);
  EXPECT_EQ(model.code_size(), 8);
  EXPECT_EQ(model.projections.labels, 2);
  EXPECT_EQ(model.observations.mean, plan.scaling.observations.mean);
  EXPECT_EQ(model.observations.inverse_scale, plan.scaling.observations.inverse_scale);
  EXPECT_EQ(model.action_centre, plan.scaling.action_centre);
  EXPECT_EQ(model.action_half_range, plan.scaling.action_half_range);

  const json metrics = CompleteModel(dataset, plan, config, 5, /*threads=*/1, model);
  EXPECT_GT(metrics["code_norm"].get<double>(), 0);
  net::WriteModel(model, folders.file("whole"), core::Existing::kRefuse, {{"seed", 5}});
  const net::Model read = net::ReadModel(folders.file("whole"));
  EXPECT_EQ(read.description.objectives[0].mean, plan.description.objectives[0].mean);
  EXPECT_EQ(read.heads.weights, model.heads.weights);
  EXPECT_EQ(read.training.codes, model.training.codes);
  const data::Transitions contexts = rollout::LoadContexts(dataset, read, plan.episodes);
  EXPECT_EQ(rollout::EncodeEpisodes(read, contexts, {.seed = 5}), model.training.codes);

  // The result does not depend on the number of threads.
  net::Model again = ExportNetworks(plan, network);
  EXPECT_EQ(CompleteModel(dataset, plan, config, 5, /*threads=*/2, again), metrics);
  EXPECT_EQ(again.training.codes, model.training.codes);
  EXPECT_EQ(again.heads.weights, model.heads.weights);
}

}  // namespace
}  // namespace rhumb::learn::representation
