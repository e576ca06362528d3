// What can be chosen from: the codes of a map, or the policies of a population, and their returns.
//
//   all candidates -> the values that choose -> the non-dominated ones -> other episodes of these,
//   which value them
//
// The best of many noisy values is partly luck. Luck must not count, so no episode both chooses a
// candidate and values it. Only labels of one episode per policy are an exception
// (`same_episodes`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/map/pareto_front.h"
#include "rhumb/net/model.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/sim/environment.h"

namespace rhumb::eval {

// A code or policy that was chosen. Values are of the environment's objectives, in K columns.
struct FrontCandidate {
  std::int64_t number = 0;                      // row of the model's codes, or number of the policy
  bool is_between = false;                      // a code that belongs to no policy
  std::vector<std::vector<double>> played;      // per usable episode: [K]
  std::vector<std::vector<double>> discounted;  // the same episodes; empty if unknown
};

struct FrontSource {
  std::string name;
  net::RolloutMode mode = net::RolloutMode::kSampled;  // how its episodes were played
  bool same_episodes = false;  // the values that choose and those that count are the same
  PointSet tried;              // the values that choose, of all candidates
  PointSet chosen_values;      // the same, of the chosen ones
  std::vector<FrontCandidate> chosen;
};

struct FrontPlay {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  int rollouts = 8;           // per chosen code or policy
  int choosing_rollouts = 2;  // per policy of a population
  double discount = 0.99;
  int batch = 16;  // as in CodeRunOptions
  core::Job job;
};

// sum_t discount^t r_t of vector rewards [T, K].
std::vector<double> DiscountedReturns(std::span<const float> vector_rewards, std::size_t objectives,
                                      double discount);

// The objectives of the environment among the model's, as columns of its tables: attributes have
// no better or worse.
std::vector<std::size_t> FrontColumns(const net::ModelDescription& model);

// "map": the rolled-out codes. Their stored values choose; fresh rollouts value them.
// "policy codes": the same of those that belong to a policy, if some do not. Returns nothing if
// stopped. Throws an Error if the model has no rolled-out codes in this mode.
std::optional<std::vector<FrontSource>> SourcesOfMap(const sim::Environment& environment,
                                                     const net::Model& model,
                                                     const FrontPlay& play);

// "training labels": the policies by the labels of their training codes. Of a policy's episodes,
// those with even numbers choose, the others value. There are no discounted returns.
FrontSource SourceOfLabels(const net::Model& model);

// "dataset": all policies of a dataset, by their recorded episodes, divided in the same way.
FrontSource SourceOfDataset(const data::Dataset& dataset, std::span<const std::string> objectives,
                            double discount);

// "population": all kept policies. Each plays a few episodes, and the non-dominated ones play
// again. Returns nothing if stopped.
std::optional<FrontSource> SourceOfPopulation(const sim::Environment& environment,
                                              const population::PopulationReader& population,
                                              std::span<const std::string> objectives,
                                              const FrontPlay& play);

}  // namespace rhumb::eval
