// The data, labels and shape of a model, checked before training starts.
#pragma once

#include <cstdint>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/learn/representation/representation_config.h"
#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/training_set.h"
#include "rhumb/net/model.h"

namespace rhumb::learn::representation {

struct ModelPlan {
  std::vector<std::int64_t> episodes;  // [E], of the training split
  std::vector<double> labels;          // [E, K]
  RepresentationShape shape;
  InputScaling scaling;
  TargetKind target_kind = TargetKind::kTeacher;
  net::ModelDescription description;
};

// Throws an Error for too few episodes, an episode shorter than the context, or an unknown label.
// Also throws for a label that is constant or not finite, or if the dataset lacks the requested
// teachers.
ModelPlan PlanModel(const data::Dataset& dataset, const RepresentationConfig& config);

}  // namespace rhumb::learn::representation
