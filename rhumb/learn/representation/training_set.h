// The training data of a representation, resident on the training device.
//
//   dataset -> concatenated steps [N], episodes [E] as stretches of them, labels [E, K]
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/net/gaussian_policy.h"

namespace rhumb::learn::representation {

// Stretches of rows: episodes of a dataset, or the decoder's visited states for one policy.
struct Stretches {
  torch::Tensor starts;   // [E] int64
  torch::Tensor lengths;  // [E] float32, exact up to 2^24

  // Picks a row of stretch which[i] for every number in [0, 1) of uniform [n, m] -> [n, m] int64.
  torch::Tensor Pick(const torch::Tensor& which, const torch::Tensor& uniform) const;
};

// States and the policy's actions in them.
struct Targets {
  torch::Tensor states;          // [N, O], normalised
  torch::Tensor means;           // [N, A]: the policy's mean, or the action taken
  torch::Tensor log_deviations;  // [N, A] of the policy; undefined if `means` holds actions taken
};

struct TrainingSet {
  Targets targets;
  torch::Tensor actions;  // [N, A], as applied, in [-1, 1]
  Stretches episodes;
  torch::Tensor labels;       // [E, K] float64
  std::vector<int> policies;  // [E], on the host

  std::int64_t episode_count() const { return episodes.starts.size(0); }
  // rows [n, C] -> the encoder's input tokens [n, C, O + A].
  torch::Tensor Tokens(const torch::Tensor& rows) const;
};

// The scaling from dataset rows to network inputs.
struct InputScaling {
  net::Normaliser observations;
  std::vector<float> action_centre, action_half_range;  // [A]
};

// Uses the dataset's own normalisation: (x - mean) / (std + 0.01), clipped to +-10, except for what
// is unseen.
InputScaling ScalingOf(const data::DatasetIndex& index);

// The decoder's targets: the policy's stored Gaussian, or the actions it drew.
enum class TargetKind { kTeacher, kActions };

// Reads the episodes; labels [E, K]. Clamps means with ClampTeacherMean: actions are clipped to
// [-1, 1], so a larger mean changes nothing.
TrainingSet LoadTrainingSet(const data::Dataset& dataset, std::span<const std::int64_t> episodes,
                            std::span<const double> labels, const InputScaling& scaling,
                            TargetKind target_kind, torch::Device device);

// Clamps elementwise to |mean| <= 1 + 2 deviation.
torch::Tensor ClampTeacherMean(const torch::Tensor& mean, const torch::Tensor& log_deviation);

}  // namespace rhumb::learn::representation
