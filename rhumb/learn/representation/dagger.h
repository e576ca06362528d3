// DAgger (Ross et al. 2011) for the decoder. The decoder acts, and the imitated policies label the
// visited states with their own actions. Encoder and map are unchanged. A decoder that must change
// its behaviour while it moves also visits the states just after a change.
//
//   codes of training episodes -> decoder rollouts -> states, with the teachers' answers
//     -> VisitedStates -> DecoderTrainer: half the queries from the data, half from these states
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/data/dataset.h"
#include "rhumb/learn/device/clipped_adamw.h"
#include "rhumb/learn/device/ranks.h"
#include "rhumb/learn/device/repeated_step.h"
#include "rhumb/learn/representation/reconstruction.h"
#include "rhumb/learn/representation/representation_config.h"
#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/step_noise.h"
#include "rhumb/learn/representation/training_set.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"

namespace rhumb::learn::representation {

// The policies that generated a dataset. Immutable and thread-safe.
class Teachers {
 public:
  // Loads `policies` (numbers in the dataset). Throws an Error if the dataset was collected from
  // another population.
  Teachers(const std::filesystem::path& population, const data::Dataset& dataset,
           std::vector<int> policies);

  int count() const { return static_cast<int>(policies_.size()); }
  int policy(int teacher) const { return policies_[static_cast<std::size_t>(teacher)]; }
  const net::GaussianPolicy& operator[](int teacher) const {
    return networks_[static_cast<std::size_t>(teacher)];
  }

 private:
  std::vector<int> policies_;
  std::vector<net::GaussianPolicy> networks_;
};

// The states that the decoder visited while imitating each teacher, in host memory.
struct VisitedStates {
  int observations = 0, actions = 0;
  std::vector<float> states;         // [M, O], normalised; ordered by teacher
  std::vector<float> means;          // [M, A], the teachers' answers
  std::vector<std::int64_t> counts;  // [teachers], rows per teacher

  void Save(const std::filesystem::path& file) const;
  static VisitedStates Load(const std::filesystem::path& file);
};

struct VisitRequest {
  // The robot, and the robot as its policies were trained, if that differs.
  std::vector<const sim::Environment*> environments;
  const data::Dataset& dataset;
  const net::Model& model;
  const Teachers& teachers;
  // Rollouts per teacher and environment, with codes of different episodes if possible.
  int episodes = 1;
  // Adds as many in the first environment in which codes of random teachers take over from each
  // other, several times an episode. The states from the first change on count.
  bool changes = false;
  core::Job job;
};

// Returns nothing if stopped.
std::optional<VisitedStates> VisitStates(const VisitRequest& request);

// All rounds so far as targets on the device; stretch t belongs to teacher t.
struct VisitedTargets {
  Targets targets;
  Stretches stretches;
};
VisitedTargets MakeTargets(const std::vector<VisitedStates>& rounds, const Teachers& teachers,
                           torch::Device device);

// One round of training.
class DecoderTrainer {
 public:
  DecoderTrainer(const RepresentationConfig& config, const RepresentationShape& shape,
                 RepresentationNetwork& network, const TrainingSet& set,
                 const VisitedTargets& visited, const Teachers& teachers, int round,
                 torch::Device device, std::uint64_t seed, const device::Ranks& ranks = {});

  // Runs up to `steps` more steps, but not past the round's end.
  void Run(std::int64_t steps);
  std::int64_t step() const { return step_; }
  double loss() const;  // mean over the last Run
  double skipped() const { return optimiser_.skipped().item<double>(); }

  void SaveState(net::SafetensorsWriter& out) const;
  void RestoreState(const net::SafetensorsFile& in);

 private:
  void ComputeStep();

  const RepresentationConfig& config_;
  RepresentationNetwork& network_;
  const TrainingSet& set_;
  const VisitedTargets& visited_;
  device::Ranks ranks_;
  std::int64_t contexts_;
  device::Ranks::Share share_;  // of the contexts
  Reconstruction reconstruction_;
  device::ClippedAdamW optimiser_;
  StepNoise noise_;
  torch::Tensor teacher_of_;  // [E] int64: teacher of each episode
  torch::Tensor rates_;       // [steps]
  torch::Tensor position_;    // [1] int64
  torch::Tensor loss_;        // a scalar: sum over the last Run
  std::int64_t step_ = 0, last_run_ = 1;
  std::unique_ptr<device::RepeatedStep> repeated_;
};

}  // namespace rhumb::learn::representation
