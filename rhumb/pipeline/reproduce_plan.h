// The plan of `rhumb reproduce`: the stages of a scale, in a valid order.
//
//   population -> dataset-v0      -> models/* -> models/ours.attribute-* -> models/ours.grounded
//              -> dataset-hole-v0 -> models/hole -> models/hole.grounded
//   all of them -> measures/MEASURE/*.json
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhumb/pipeline/stage.h"
#include "rhumb/sim/spec.h"

namespace rhumb::pipeline {

// The settings of one scale, each as key=value. All numbers that distinguish the scales are here.
struct Scale {
  using Settings = std::vector<std::string>;

  std::string name;
  int seeds = 1;  // number of seeds of the models that the probe compares
  // Baseline variants. The first are steered (the paper's Table 2) and probed, the second only
  // probed (its Table 1).
  std::vector<std::string> steered_rivals = {"vae", "infonce", "autoencoder"};
  std::vector<std::string> probed_rivals = {"mean_pool", "free_projections"};
  Settings population = {}, dataset = {}, model = {}, grounding = {}, imitation = {},
           synthesis = {}, geometry = {}, paths = {}, ordering = {}, context = {},
           control_functional = {};
  // Whether the map as a whole is measured: between, front, switch. A map of a short training has
  // no steady codes to make such tasks of.
  bool measures_map = false;
};

const std::vector<Scale>& Scales();

struct ReproduceRequest {
  std::string spec;                     // spec of the environment, in the run's folder
  std::vector<std::string> files;       // all files of the environment, in the run's folder
  std::string rewards;                  // reward preset
  std::vector<std::string> objectives;  // of these rewards
  // Added to the model after training, for tasks with many requirements.
  std::vector<sim::AttributeSpec> attributes;
  std::string scale;
  std::string device;
  std::uint64_t seed = 0;
  int threads = 1;
  int jobs = 1;                              // stages that run in parallel and share the threads
  std::vector<std::string> population = {};  // further settings of the population, as key=value
};

// The attributes of a spec; if it has none, those that every robot has.
std::vector<sim::AttributeSpec> AttributesOf(const sim::EnvironmentSpec& spec);

// Throws Error if the scale is unknown.
std::vector<Stage> MakePlan(const ReproduceRequest& request);

}  // namespace rhumb::pipeline
