// What a model will be, known before the first step of training: its data and its labels, checked.
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

// Errors: too few episodes, one that is shorter than the context, a label that is not finite or the
// same in every episode, an unknown one, teachers wanted that the dataset does not have.
ModelPlan PlanModel(const data::Dataset& dataset, const RepresentationConfig& config);

}  // namespace rhumb::learn::representation
