// A model with tasks between its training codes that can be computed by hand.
#pragma once

#include <utility>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/rollout/echo_model.h"

namespace rhumb::eval {

inline void FillTable(net::CodeTable& table, std::vector<float> codes, std::vector<float> values) {
  table.code_size = 2;
  table.objectives = 2;
  table.codes = std::move(codes);
  table.values = std::move(values);
}

// The point mass, pushed steadily: a code (p, q) runs 90 p on average, and its start adds up to 1.
// Only the speed shapes the map. The training codes (0, 0) and (1, 0) are labelled 0 and 90, one
// standard deviation apart, and the heads say 90 p.
inline net::Model BetweenModel(const sim::Environment& environment) {
  net::Model model = rollout::EchoModel(rollout::DescribeRecordings(environment), 0);
  model.description.shaping_labels = 1;
  net::ModelObjective& speed = model.description.objectives[0];
  speed.std = 90, speed.min = 0, speed.max = 90;
  model.description.objectives[1].std = 50;
  model.heads = {2, 2, {1, 0, -2, 0}, {0, 0}};
  FillTable(model.training, {0, 0, 1, 0}, {0, 0, 90, -100});
  model.training.policies = {0, 1};
  model.training.agents = {0, 1};
  return model;
}

}  // namespace rhumb::eval
