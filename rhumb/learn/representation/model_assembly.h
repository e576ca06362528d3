// From trained networks to a whole model: codes of the training episodes, value heads, the map for
// pictures, and what was measured.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "rhumb/data/dataset.h"
#include "rhumb/learn/representation/model_plan.h"
#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/net/model.h"

namespace rhumb::learn::representation {

// The networks alone, with how their inputs are scaled: enough to encode and to act.
net::Model ExportNetworks(const ModelPlan& plan, const RepresentationNetwork& network);

// Adds the rest. Returns the metrics: mean squared error of the heads in each split, norm and
// deviation of the codes. Nothing of it needs libtorch, so codes are what the runtime will see.
nlohmann::json CompleteModel(const data::Dataset& dataset, const ModelPlan& plan,
                             const RepresentationConfig& config, std::uint64_t seed, int threads,
                             net::Model& model);

}  // namespace rhumb::learn::representation
