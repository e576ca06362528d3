// What `rhumb reproduce` does: the stages of a scale, in an order in which they can run.
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

// The settings of one scale, key=value each. Data: all numbers that a scale differs by are here.
struct Scale {
  std::string name;
  int seeds = 1;  // of the models that the probe compares
  // Variants that are measured beside: by steering (the paper's Table 2) and by the probe, or by
  // the probe alone (its Table 1).
  std::vector<std::string> steered_rivals, probed_rivals;
  std::vector<std::string> population, dataset, model, grounding;
  std::vector<std::string> imitation, synthesis, geometry, paths, ordering, context,
      control_functional;
};

const std::vector<Scale>& Scales();

struct ReproduceRequest {
  std::string spec;                     // of the environment, in the folder of the run
  std::vector<std::string> files;       // all files of the environment, likewise
  std::string rewards;                  // reward preset
  std::vector<std::string> objectives;  // of these rewards
  // Added to the model after training, for tasks of many requirements.
  std::vector<sim::AttributeSpec> attributes;
  std::string scale;
  std::string device;
  std::uint64_t seed = 0;
  int threads = 1;
  int jobs = 1;  // stages that run beside each other and share the threads
};

// The attributes of a spec; where it names none, those that every robot has.
std::vector<sim::AttributeSpec> AttributesOf(const sim::EnvironmentSpec& spec);

// An unknown scale is an Error.
std::vector<Stage> MakePlan(const ReproduceRequest& request);

}  // namespace rhumb::pipeline
