// A model prepared for steering, once for all queries.
#pragma once

#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/forecaster.h"
#include "rhumb/steer/map/data_manifold.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::steer {

// Constant after construction except for the manifold's cache, and then thread-safe. The model and
// the options must outlive it.
struct PreparedModel {
  PreparedModel(const net::Model& model, net::RolloutMode mode, const SteerOptions& options);

  const net::Model& model;
  const SteerOptions& options;
  Forecaster forecaster;
  DataManifold manifold;
  std::vector<Forecast> known;  // forecasts of forecaster.known_codes()
  double primal_step;           // in code units
};

}  // namespace rhumb::steer
