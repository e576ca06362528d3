// What steering gives back. Includes the standard library alone, for embed.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::steer {

enum class Status : std::uint8_t { kSolved, kInfeasible, kRefused, kIterationLimit };

// Where an answer comes from.
enum class Origin : std::uint8_t { kSteered, kTraining, kRolledOut };

constexpr std::string_view NameOf(Status status) {
  switch (status) {
    case Status::kSolved:
      return "solved";
    case Status::kInfeasible:
      return "infeasible";
    case Status::kRefused:
      return "refused";
    case Status::kIterationLimit:
      return "iteration_limit";
  }
  return "";
}

constexpr std::string_view NameOf(Origin origin) {
  switch (origin) {
    case Origin::kSteered:
      return "steered";
    case Origin::kTraining:
      return "training";
    case Origin::kRolledOut:
      return "rolled_out";
  }
  return "";
}

struct Interval {
  double low = 0, high = 0;
};

// A behaviour. Vectors over the K objectives are in their units.
struct Answer {
  std::vector<float> code;        // [H]; all that a policy needs
  std::vector<double> predicted;  // [K]
  // [K]; for the mean of `Result::interval_episodes` episodes. Empty where the heads are not
  // calibrated.
  std::vector<Interval> interval;
  Origin origin = Origin::kSteered;
  double distance_to_data = 0;  // in spacings of the training codes
  // Expected miss, in standard deviations of the labels; answers are ordered by it.
  double risk = 0;
  int iterations = 0;  // steps of its descent
};

// A single requirement or target, and what it would have to become if all others stay.
struct Relaxation {
  std::string text;  // in words: "energy at least -500"
  std::string quantity;
  double asked = 0;      // the bound or target value that was asked for
  bool possible = true;  // false: no change of this one alone is enough
  double needed = 0;     // the nearest value that goes with all the others
};

// Why a query has no answer.
struct Diagnosis {
  std::vector<std::string> binding;  // requirements and targets, in words, that stand in the way
  Answer nearest;                    // the nearest attainable behaviour
  std::vector<Relaxation> relax;     // each by itself
  std::string reason;                // what stands in the way, in words
  // Behaviours that may be nearer than `nearest`, which is the first: a forecast cannot tell, a
  // roll-out can.
  std::vector<Answer> alternatives;
};

struct Result {
  Status status = Status::kSolved;
  // Best first. With kRefused or kIterationLimit, what was found so far.
  std::vector<Answer> answers;
  std::optional<Diagnosis> infeasibility;  // unless solved
  int interval_episodes = 0;               // 0: the heads have no calibrated interval
  double interval_level = 0;
  double solve_ms = 0;
};

}  // namespace rhumb::steer
