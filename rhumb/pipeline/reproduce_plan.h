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

// A number of whole episodes that is added after training, for tasks of many requirements.
struct Attribute {
  std::string name, expression, unit;
};

struct ReproduceRequest {
  std::string environment;              // its id
  std::string spec;                     // the absolute path of a spec of the user's own, or ""
  std::string rewards;                  // "": the environment's default
  std::vector<std::string> objectives;  // that these rewards have
  std::string scale;
  std::string device;
  std::uint64_t seed = 0;
  int threads = 1;
  int jobs = 1;  // stages that run beside each other and share the threads
};

// Those of an environment; of a robot of the user's own, those that every robot has.
const std::vector<Attribute>& AttributesOf(const ReproduceRequest& request);

// An unknown scale is an Error.
std::vector<Stage> MakePlan(const ReproduceRequest& request);

}  // namespace rhumb::pipeline
