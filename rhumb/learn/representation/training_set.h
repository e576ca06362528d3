// What a representation is learnt from, resident on the device that learns.
//
//   dataset -> steps [N] one behind the other, episodes [E] as stretches of them, labels [E, K]
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/net/gaussian_policy.h"

namespace rhumb::learn::representation {

// Stretches of rows: episodes of a dataset, or what a policy's decoder visited.
struct Stretches {
  torch::Tensor starts;   // [E] int64
  torch::Tensor lengths;  // [E] float32, exact up to 2^24

  // A row of stretch which[i] for every number in [0, 1) of uniform [n, m] -> [n, m] int64.
  torch::Tensor Pick(const torch::Tensor& which, const torch::Tensor& uniform) const;
};

// States and what a policy does in them.
struct Targets {
  torch::Tensor states;          // [N, O], normalised
  torch::Tensor means;           // [N, A]: the policy's mean, or the action taken
  torch::Tensor log_deviations;  // [N, A] of the policy; undefined where the action taken is meant
};

struct TrainingSet {
  Targets targets;
  torch::Tensor actions;  // [N, A], as applied, in [-1, 1]
  Stretches episodes;
  torch::Tensor labels;       // [E, K] float64
  std::vector<int> policies;  // [E], on the host

  std::int64_t episode_count() const { return episodes.starts.size(0); }
  // rows [n, C] -> what the encoder reads there, [n, C, O + A].
  torch::Tensor Tokens(const torch::Tensor& rows) const;
};

// How rows are brought to what networks see.
struct InputScaling {
  net::Normaliser observations;
  std::vector<float> action_centre, action_half_range;  // [A]
};

// From the dataset's own normalisation: (x - mean) / (std + 0.01), within +-10.
InputScaling ScalingOf(const data::DatasetIndex& index);

// What the decoder is compared with: the policy's stored Gaussian, or the actions it drew.
enum class TargetKind { kTeacher, kActions };

// Reads the episodes. labels [E, K]. Means are brought within one deviation and a bit of [-1, 1]:
// beyond, actions are clipped and a larger mean changes nothing.
TrainingSet LoadTrainingSet(const data::Dataset& dataset, std::span<const std::int64_t> episodes,
                            std::span<const double> labels, const InputScaling& scaling,
                            TargetKind target_kind, torch::Device device);

// |mean| <= 1 + 2 deviation, element by element.
torch::Tensor ClampTeacherMean(const torch::Tensor& mean, const torch::Tensor& log_deviation);

}  // namespace rhumb::learn::representation
