// Folders with a dataset of pushes in the point mass, and a model that repeats its input.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "rhumb/core/math/spread.h"
#include "rhumb/data/dataset.h"
#include "rhumb/data/dataset_writer.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/episode_encoder.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {

// Policy i of 12 pushes with (0.05 i - 0.2, 0.3), standard deviation 0.05, for two episodes. The
// last two policies are held out. A code h is a push, and with mean actions it costs 100 |h|^2.
struct EchoFolders {
  EchoFolders() {
    WriteDataset();
    WriteModel();
  }

  std::filesystem::path data() const { return scratch.path() / "data"; }
  std::filesystem::path model() const { return scratch.path() / "model"; }
  std::filesystem::path file(const std::string& name) const { return scratch.path() / name; }

  const test::ScratchFolder scratch;
  const sim::Environment environment{sim::FindBundle("point-v0", "two")};

 private:
  void WriteDataset() const {
    data::DatasetWriter writer(data(), DescribeRecordings(environment));
    EpisodeRecorder recorder(environment, {.seed = 3, .steps = 200});
    for (int i = 0; i < 12; ++i) {
      data::Policy policy;
      policy.agent = i;
      policy.iteration = 1;
      policy.weights = {0.5, 0.5};
      writer.AddPolicy(policy);
      const net::GaussianPolicy acting = population::ConstantPolicy(
          2, {0.05f * static_cast<float>(i) - 0.2f, 0.3f}, /*deviation=*/0.05f);
      for (const data::Episode& episode :
           recorder.Record({acting, i, policy.weights}, [](int) { return true; })) {
        writer.Append(episode);
      }
    }
    writer.policies()[10].split = data::Split::kHeldOutCheckpoint;
    writer.policies()[11].split = data::Split::kHeldOutWeight;
    writer.Commit({{"seed", 3}});
  }

  void WriteModel() const {
    const data::Dataset dataset = data::Dataset::Open(data());
    net::Model made = EchoModel(dataset.description(), /*log_deviation=*/-3);
    const std::vector<std::int64_t> episodes = dataset.EpisodesOf(data::Split::kTrain);
    const data::Transitions transitions = LoadContexts(dataset, made, episodes);
    const std::vector<double> labels = LabelEpisodes(made.description, dataset, episodes);
    for (std::size_t k = 0; k < 2; ++k) {
      made.description.objectives[k].DescribeLabels(core::SpreadOf(labels, k, 2));
    }
    made.training.code_size = made.training.objectives = 2;
    made.training.codes = EncodeEpisodes(made, transitions, {});
    made.training.values.assign(labels.begin(), labels.end());
    made.training.policies.assign(transitions.policies.begin(), transitions.policies.end());
    made.map = net::MakePrincipalMap(made.training.codes, 2);
    made.projections = {2, 2, 1, std::vector<float>(4, 0), std::vector<float>(2, 0)};
    made.heads = {2, 2, std::vector<float>(4, 0), std::vector<float>(2, 0)};
    net::WriteModel(made, model(), core::Existing::kRefuse, {{"seed", 3}});
  }
};

}  // namespace rhumb::rollout
