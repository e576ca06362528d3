// The results of steering. Includes only the standard library, because embed.h includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::steer {

enum class Status : std::uint8_t { kSolved, kInfeasible, kRefused, kIterationLimit };

// Where an answer comes from.
enum class Origin : std::uint8_t { kSteered, kTraining, kRolledOut, kMixed };

constexpr std::string_view NameOf(Status status) {
  constexpr std::string_view kNames[] = {"solved", "infeasible", "refused", "iteration_limit"};
  return kNames[static_cast<std::size_t>(status)];
}

constexpr std::string_view NameOf(Origin origin) {
  constexpr std::string_view kNames[] = {"steered", "training", "rolled_out", "mixed"};
  return kNames[static_cast<std::size_t>(origin)];
}

struct Interval {
  double low = 0, high = 0;
};

// A behaviour. Vectors over the K objectives are in the objectives' units.
struct Answer {
  std::vector<float> code;        // [H]; fully determines the policy
  std::vector<double> predicted;  // [K]
  // [K]; intervals for the mean of `Result::interval_episodes` episodes. Empty if the model
  // is not grounded.
  std::vector<Interval> interval;
  Origin origin = Origin::kSteered;
  double distance_to_data = 0;  // in spacings of the known codes
  // Expected miss, in standard deviations of the labels. Answers are sorted by it.
  double risk = 0;
  // That the mean of `Result::interval_episodes` episodes reaches every target and keeps every
  // requirement; 1 if there are only wishes. NaN if the model is not grounded.
  double probability = std::numeric_limits<double>::quiet_NaN();
  int iterations = 0;  // descent steps taken
};

// One requirement or target, and the value it would need if all others stay unchanged.
struct Relaxation {
  std::string text;  // in words: "energy at least -500"
  std::string quantity;
  double asked = 0;      // the requested bound or target value
  bool possible = true;  // false if changing this one alone is not enough
  double needed = 0;     // the nearest value that is compatible with all the others
};

// Why a query has no answer.
struct Diagnosis {
  std::vector<std::string> binding;  // the requirements and targets in conflict, in words
  Answer nearest;                    // the nearest attainable behaviour
  std::vector<Relaxation> relax;     // each relaxed on its own
  std::string reason;                // the conflict, in words
  // Candidates that may be nearer than `nearest`, which comes first. Only rollouts can tell them
  // apart.
  std::vector<Answer> alternatives;
};

struct Result {
  Status status = Status::kSolved;
  // Best first. With kRefused or kIterationLimit, the best answers found so far.
  std::vector<Answer> answers;
  std::optional<Diagnosis> infeasibility;  // set unless solved
  int interval_episodes = 0;               // 0 if there are no intervals
  double interval_level = 0;
  double solve_ms = 0;
};

}  // namespace rhumb::steer
