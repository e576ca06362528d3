// Assembles a model from trained networks: codes of the training episodes, value heads, the map for
// pictures, and metrics.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "rhumb/data/dataset.h"
#include "rhumb/learn/representation/model_plan.h"
#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/net/model.h"

namespace rhumb::learn::representation {

// The networks and the scaling of their inputs: enough to encode and to act.
net::Model ExportNetworks(const ModelPlan& plan, const RepresentationNetwork& network);

// Adds the other parts. Returns the metrics: mean squared error of the heads in each split, norm
// and standard deviation of the codes. Does not use libtorch, so the codes are those that the
// runtime will compute.
nlohmann::json CompleteModel(const data::Dataset& dataset, const ModelPlan& plan,
                             const RepresentationConfig& config, std::uint64_t seed, int threads,
                             net::Model& model);

}  // namespace rhumb::learn::representation
