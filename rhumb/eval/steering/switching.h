// Live re-steering: what a change of the code in mid-episode costs.
//
//   pairs of queries -> codes a, b -> a until mid-episode, then b, blended over n steps
//                                  -> return of the second half, against b all along
//
// A query pins all shaping objectives to the values of a known code, drawn at random. All runs of a
// pair start alike and draw their actions from the same keys. "again" is b all along from other
// keys: it shows the noise. With tries, b is the one of several answers that takes over best
// (rollout::ChooseTakeovers), so each blend has its own.
//
//   miss  |S - B| / max(|B|, 0.05 std) per shaping objective, S and B returns of the second half
//   fall  the episode ended in the second half before its time limit, or diverged
//   lost  some objective misses by more than 20 % of half its range in the data
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/core/process/job.h"
#include "rhumb/eval/map/imitation.h"
#include "rhumb/net/code_blend.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::eval {

constexpr double kLostShare = 0.2;

struct SwitchConfig {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  int pairs = 200;
  std::vector<int> blends = {0, 10, 50};
  int tries = 4;
  int batch = 16;
  steer::SteerOptions steer;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, net::kRolloutModeNames,
      "whether the decoder samples its actions or takes their mean");
    v("pairs", pairs, core::Range{1, 1e5}, "pairs of queries");
    v("blends", blends, core::Range{0, net::kMaxBlendSteps},
      "steps over which the second code blends in; one run per pair and number");
    v("tries", tries, core::Range{0, 100},
      "answers to the second query to simulate from the robot's state at mid-episode; the one "
      "whose "
      "values change least takes over. 0: the best answer, without a simulation");
    v("batch", batch, core::Range{1, 4096},
      "simulations per thread in lock step; affects only the speed");
    v.Group("steer", steer);
  }
};

// What one way of changing over did, over the pairs that reached mid-episode.
struct SwitchReport {
  std::string name;  // "blend 10", or "again"
  int pairs = 0;
  int falls = 0, lost = 0;
  int others = 0;                    // those where trying chose another answer than the best
  std::vector<ErrorSummary> misses;  // per shaping objective
  std::vector<double> changes;       // median of (S - B) / max(|B|, 0.05 std), with its sign
};

struct SwitchMeasurement {
  int pairs = 0;
  int unsolved = 0;  // draws whose query had no answer; others took their place
  // Pairs in which one of the two codes, all along, ended before mid-episode. Then pairs in which
  // the second one, the best answer, fell in the second half.
  int early_falls = 0, second_falls = 0;
  std::int64_t switch_step = 0;
  std::vector<std::string> objectives;
  std::vector<SwitchReport> reports;  // the config's blends, then "again"
};

// Returns nothing if stopped. Throws an Error if the model has too few codes to draw queries from.
std::optional<SwitchMeasurement> MeasureSwitching(const sim::Environment& environment,
                                                  const net::Model& model,
                                                  const SwitchConfig& config, const core::Job& job);

// Shares and misses in %.
nlohmann::json ToJson(const SwitchMeasurement& measurement);

}  // namespace rhumb::eval
