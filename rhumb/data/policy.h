// A policy of a dataset: where it comes from, what it did when it was rolled out, and what becomes
// of it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::data {

// Why a policy is in a dataset or not (selection.h has the rules).
enum class Verdict {
  kKept,
  kEarly,          // among the first iterations
  kThinned,        // between the iterations that are kept
  kDroppedWeight,  // its scalarisation is left out by the configuration
  kStationary,     // its scalarisation makes the robot stand still
  kFalls,          // episodes too short on average
  kVariable,       // returns too different from episode to episode
  kNoEpisodes,     // nothing usable was recorded
};
constexpr int kVerdictCount = 8;

// What a policy is for, fixed when the dataset is made.
enum class Split { kTrain, kHeldOutCheckpoint, kHeldOutWeight, kHole };
constexpr int kSplitCount = 4;
constexpr std::array<Split, kSplitCount> kSplits = {Split::kTrain, Split::kHeldOutCheckpoint,
                                                    Split::kHeldOutWeight, Split::kHole};

// As they stand in files: "kept", "held_out_weight".
std::string_view NameOf(Verdict verdict);
std::string_view NameOf(Split split);

// Whether the policies of a split are those of a name: that of the split, or "held_out", which is
// held_out_checkpoint and held_out_weight.
bool IsPartOf(Split split, std::string_view name);

struct Policy {
  std::string file;             // in its population; "" where the policy itself is unknown
  int agent = 0;                // which weight vector was trained
  int iteration = 0;            // iterations of training behind it, from 1
  std::vector<double> weights;  // [K] of the scalarisation; empty where unknown

  // Measured over all its finite episodes, those too short to be kept too.
  std::int64_t measured_episodes = 0;
  double mean_length = 0;              // steps
  double motion = 0;                   // mean over episodes of MeasureMotion
  std::vector<double> mean_return;     // [K], empty before the first episode
  std::vector<double> std_return;      // [K], estimated from the sample
  std::int64_t short_episodes = 0;     // not written
  std::int64_t unusable_episodes = 0;  // diverged or not finite: not written, not measured

  Verdict verdict = Verdict::kKept;
  std::string reason;  // a few words with the numbers behind the verdict; "" for kept
  Split split = Split::kTrain;

  bool kept() const { return verdict == Verdict::kKept; }
};

nlohmann::json ToJson(const Policy& policy);
// Throws nlohmann::json::exception or Error where the JSON is not one of ToJson.
Policy PolicyFromJson(const nlohmann::json& json);

}  // namespace rhumb::data
