// Imitation: how closely the decoder reproduces a policy, given a context from one of its episodes.
//
//   episode of a policy -> one context -> posterior mean -> decoder rollouts -> values, compared
//   with the episode's own values and the policy's mean
//
// Relative error of a value v for a label l: |v - l| / max(|l|, 0.1 std), where std is taken over
// the labels of the training episodes.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/core/process/job.h"
#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"

namespace rhumb::eval {

struct ImitationConfig {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  std::string split = "held_out";
  int episodes = 200;
  int rollouts = 2;
  int batch = 16;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, net::kRolloutModeNames,
      "whether the decoder samples its actions or takes their mean");
    v("split", split,
      core::OneOf{"train", "held_out_checkpoint", "held_out_weight", "held_out", "hole"},
      "split of the imitated episodes; held_out means held_out_checkpoint and held_out_weight");
    v("episodes", episodes, core::Range{1, 1e6},
      "maximum number of imitated episodes; every policy is used once before any is used twice");
    v("rollouts", rollouts, core::Range{1, 1000}, "rollouts per imitated episode");
    v("batch", batch, core::Range{1, 4096},
      "simulations per thread in lock step; affects only the speed");
  }
};

// A distribution of relative errors.
struct ErrorSummary {
  std::int64_t count = 0;
  double mean = 0, median = 0;
  double q10 = 0, q25 = 0, q75 = 0, q90 = 0;  // quantiles
  double share_below = 0;                     // share of errors below kSmallError
};
constexpr double kSmallError = 0.1;

// One imitated episode; vectors are per objective, [K].
struct ImitationRow {
  std::int64_t episode = 0;  // in the dataset
  int policy = 0;
  std::int64_t steps = 0;
  double realised_steps = 0;         // mean over the rollouts
  int diverged = 0;                  // rollouts that diverged
  std::vector<double> label;         // of the episode
  std::vector<double> policy_label;  // mean over the policy's episodes
  std::vector<double> realised;      // mean over the rollouts; NaN if all diverged
  std::vector<double> error;         // of realised against label; +inf if all diverged
  std::vector<double> policy_error;  // of realised against policy_label; +inf if all diverged
  // Error of the policy's mean over its other episodes against label: the score of a perfect
  // imitator. Empty if the policy has no other episode.
  std::vector<double> teacher_error;
};

struct ObjectiveImitation {
  std::string name, unit;
  ErrorSummary error, policy_error, teacher_error;
};

struct ImitationReport {
  ImitationConfig config;
  std::vector<ObjectiveImitation> objectives;  // [K]
  double mean_steps = 0;                       // of the imitated episodes
  double realised_mean_steps = 0;
  std::int64_t diverged = 0;  // rollouts
  std::vector<ImitationRow> rows;
};

// |value - label| / max(|label|, 0.1 std); +inf if the value is NaN.
double RelativeError(double value, double label, double std);

// Quantiles interpolate between order statistics, as NumPy does by default. All are NaN without
// errors.
ErrorSummary Summarise(std::vector<double> errors);

// Chooses up to `count` of `episodes` in rounds. Each round takes one more episode of every policy.
// `seed` determines the episodes and the order of the policies.
std::vector<std::int64_t> ChooseEpisodes(const data::DatasetIndex& index,
                                         std::span<const std::int64_t> episodes, int count,
                                         std::uint64_t seed);

// Returns nothing if stopped. Throws an Error if the model cannot read the dataset or the split has
// no episodes.
std::optional<ImitationReport> MeasureImitation(const sim::Environment& environment,
                                                const net::Model& model,
                                                const data::Dataset& dataset,
                                                const ImitationConfig& config,
                                                const core::Job& job);

// Missing values are written as null.
nlohmann::json ToJson(const ImitationReport& report);

}  // namespace rhumb::eval
