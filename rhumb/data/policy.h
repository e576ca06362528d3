// A policy of a dataset: its origin, its rollout statistics, its verdict and its split.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::data {

// Why a policy is kept or left out (rules in selection.h).
enum class Verdict {
  kKept,
  kEarly,          // among the first iterations
  kThinned,        // iteration is not a multiple of `every`
  kDroppedWeight,  // weight vector left out by the configuration
  kStationary,     // weight vector makes the robot stand still
  kFalls,          // mean episode length too short
  kVariable,       // returns vary too much between episodes
  kNoEpisodes,     // no usable episode
};

// The use of a policy, fixed when the dataset is made.
enum class Split { kTrain, kHeldOutCheckpoint, kHeldOutWeight, kHole };
constexpr int kSplitCount = 4;
constexpr std::array<Split, kSplitCount> kSplits = {Split::kTrain, Split::kHeldOutCheckpoint,
                                                    Split::kHeldOutWeight, Split::kHole};

// The names used in files: "kept", "held_out_weight".
const std::string& NameOf(Verdict verdict);
const std::string& NameOf(Split split);

// Whether `name` includes the split. It is the split's own name, or "held_out", which covers
// held_out_checkpoint and held_out_weight.
bool IsPartOf(Split split, std::string_view name);

struct Policy {
  std::string file;             // in its population; "" if unknown
  int agent = 0;                // which weight vector it was trained with
  int parent = -1;              // the agent that its agent started from; -1: from nothing
  int iteration = 0;            // training iterations so far, the parent's included; from 1
  std::vector<double> weights;  // [K], scalarisation; empty if unknown

  // Measured over all finite episodes, including those too short to write.
  std::int64_t measured_episodes = 0;
  double mean_length = 0;              // steps
  double motion = 0;                   // mean of MeasureMotion over episodes
  std::vector<double> mean_return;     // [K]; empty before the first episode
  std::vector<double> std_return;      // [K], sample standard deviation
  std::int64_t short_episodes = 0;     // not written
  std::int64_t unusable_episodes = 0;  // diverged or not finite: not written, not measured

  Verdict verdict = Verdict::kKept;
  std::string reason;  // the numbers behind the verdict, in a few words; "" if kept
  Split split = Split::kTrain;

  bool kept() const { return verdict == Verdict::kKept; }
};

nlohmann::json ToJson(const Policy& policy);
// Throws nlohmann::json::exception or Error unless the JSON was made by ToJson.
Policy PolicyFromJson(const nlohmann::json& document);

}  // namespace rhumb::data
