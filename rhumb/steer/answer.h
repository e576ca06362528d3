// What steering gives back.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/net/model.h"

namespace rhumb::steer {

enum class Status : std::uint8_t { kSolved, kInfeasible, kRefused, kIterationLimit };
std::string_view NameOf(Status status);  // "solved", "infeasible", "refused", "iteration_limit"

// Where an answer comes from.
enum class Origin : std::uint8_t { kSteered, kTraining, kRolledOut };
std::string_view NameOf(Origin origin);  // "steered", "training", "rolled_out"

struct Interval {
  double low = 0, high = 0;
};

struct Answer {
  std::vector<float> code;         // [H]
  std::vector<double> predicted;   // [K], in the objectives' units
  std::vector<Interval> interval;  // [K]; for the mean of `Result::interval_episodes` episodes
  Origin origin = Origin::kSteered;
  double distance_to_data = 0;  // in spacings of the training codes
  double risk = 0;     // expected miss, in label deviations; what the answers are ordered by
  int iterations = 0;  // steps that it was steered for
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
  std::vector<double> nearest;       // [K]: the values of the nearest attainable behaviour
  std::vector<Interval> interval;    // [K], of these
  std::vector<float> code;           // [H], which has them
  std::vector<Relaxation> relax;     // each by itself
  std::string reason;                // what stands in the way, in words
  // What may be the nearest, the one above first: a forecast cannot tell which is, a roll-out can.
  struct Rival {
    std::vector<float> code;
    std::vector<double> values;
    std::vector<Interval> interval;
  };
  std::vector<Rival> rivals;
};

struct Result {
  Status status = Status::kSolved;
  std::vector<Answer>
      answers;  // best first; with kRefused or kIterationLimit what was found so far
  std::optional<Diagnosis> infeasibility;  // unless solved
  int interval_episodes = 0;               // 0: the heads have no calibrated interval
  double interval_level = 0;
  double solve_ms = 0;
};

// {objective: value} of values [K].
nlohmann::json ByName(std::span<const double> values, const net::ModelDescription& model);

// A sentence: the reason, and the nearest values.
std::string Describe(const Diagnosis& diagnosis, const net::ModelDescription& model);

// The parts of `rhumb steer --json` that steering knows: status, answers, infeasibility.
nlohmann::json ToJson(const Result& result, const net::ModelDescription& model);

}  // namespace rhumb::steer
