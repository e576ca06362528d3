// The Pareto front that a map offers, against the front of the policies that it was made from.
//
//   sources (front_source.h): map, policy codes, training labels, dataset, population
//     -> means of the episodes that value them -> non-dominated ones: the front P of a source
//     -> indicators (pareto_front.h), undiscounted and discounted; Z is the front of all of them
//
// The noise of an indicator is its standard deviation over resamples: each draws, for every code or
// policy, as many of its episodes as there are, with replacement. A comparison is the ratio of two
// hypervolumes, with the middle 95 % of its resamples.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/core/process/job.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/clustered_bootstrap.h"
#include "rhumb/eval/map/front_source.h"
#include "rhumb/eval/map/pareto_front.h"
#include "rhumb/net/model.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/sim/environment.h"

namespace rhumb::eval {

struct FrontConfig {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  int rollouts = 8;
  int choosing_rollouts = 2;
  double discount = 0.99;
  std::vector<std::string> references, discounted_references;
  int resamples = 200;
  int batch = 16;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, net::kRolloutModeNames,
      "whether decoder and policies sample their actions or take their mean");
    v("rollouts", rollouts, core::Range{1, 1000}, "fresh episodes that value a code or policy");
    v("choosing_rollouts", choosing_rollouts, core::Range{1, 1000},
      "episodes that every policy of a population plays first; the best are played again");
    v("discount", discount, core::Range{0, 1}, "factor per step of the discounted returns");
    v("references", references,
      "reference points of the hypervolume of returns, each like 'forward=0 energy=-6000'; "
      "default: the worst value of each objective among all that was tried");
    v("discounted_references", discounted_references,
      "reference points of the hypervolume of discounted returns; default: -100 in each objective");
    v("resamples", resamples, core::Range{2, 1e5}, "resamples of the episodes, for the noise");
    v("batch", batch, core::Range{1, 4096},
      "simulations per thread in lock step; affects only the speed");
  }
};

// A value and its standard deviation over the resamples.
struct NoisyValue {
  double value = 0, noise = 0;
};

// The front of one source.
struct FrontReport {
  std::string source;
  net::RolloutMode mode = net::RolloutMode::kSampled;
  bool same_episodes = false;
  std::size_t tried = 0, chosen = 0;
  std::size_t cardinality = 0;          // |P|
  std::size_t between = 0;              // codes of P that belong to no policy
  std::vector<NoisyValue> hypervolume;  // per reference point
  NoisyValue expected_utility;
  double maximum_utility_loss = 0, igd = 0, igd_plus = 0, sparsity = 0;
  // Hypervolumes by the values that chose, luck included; empty for discounted returns.
  std::vector<double> hypervolume_of_choice;
  std::vector<std::int64_t> numbers;  // of the codes or policies of P
  PointSet points;                    // P
};

// The ratio of two hypervolumes, the first source's to another's.
struct FrontComparison {
  std::string source, other;
  std::size_t reference = 0;
  MeanEstimate ratio;
};

// All fronts by one kind of returns.
struct FrontTable {
  bool discounted = false;
  std::vector<std::vector<double>> references;  // each [K]
  bool default_references = false;
  std::vector<FrontReport> fronts;
  std::size_t union_cardinality = 0;  // |Z|
  std::vector<FrontComparison> comparisons;
};

struct FrontMeasurement {
  std::vector<std::string> objectives;  // [K]
  std::vector<FrontSource> sources;
  FrontTable returns, discounted;
};

// What is measured. Without a model there must be a population.
struct FrontSubject {
  const net::Model* model = nullptr;
  const data::Dataset* dataset = nullptr;                    // optional
  const population::PopulationReader* population = nullptr;  // optional
};

// A reference point [K] from "forward=0 energy=-6000". Throws an Error unless it names every
// objective once, with a finite number.
std::vector<double> ParseReference(std::string_view text, std::span<const std::string> objectives);

// Returns nothing if stopped. Throws an Error if parts of the subject do not belong together, or a
// reference point is wrong.
std::optional<FrontMeasurement> MeasureFront(const sim::Environment& environment,
                                             const FrontSubject& subject, const FrontConfig& config,
                                             const core::Job& job);

// The indicators of sources that are known already, for MeasureFront.
FrontTable TabulateFronts(std::span<const FrontSource> sources, bool discounted,
                          std::vector<std::vector<double>> references, int resamples,
                          std::uint64_t seed);

// {"objectives", "tried", "tables": [{"discounted", "references", "fronts", "compared"}]}. Missing
// values are written as null.
nlohmann::json ToJson(const FrontMeasurement& measurement);

}  // namespace rhumb::eval
