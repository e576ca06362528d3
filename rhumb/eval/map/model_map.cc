#include "rhumb/eval/map/model_map.h"

#include <nlohmann/json.hpp>

#include "rhumb/core/files/json_file.h"
#include "rhumb/eval/figure_data.h"

namespace rhumb::eval {

using nlohmann::json;

std::array<double, 2> PlaceOnMap(const net::Model& model, std::span<const float> code) {
  std::array<double, 2> place = {0, 0};
  for (std::size_t j = 0; j < code.size(); ++j) {
    const double difference = code[j] - model.map.mean[j];
    for (std::size_t axis = 0; axis < 2; ++axis) {
      place[axis] += difference * model.map.directions[axis * code.size() + j];
    }
  }
  return place;
}

json DescribeLandscape(const net::Model& model) {
  const net::CodeTable& training = model.training;
  json places = json::array();
  for (int i = 0; i < training.count(); ++i) {
    places.push_back(PlaceOnMap(model, training.code(i)));
  }
  return {{"places", places}, {"values", core::RowsToJson(training.values, training.objectives)}};
}

json DescribeMap(const net::Model& model) {
  json document = DescribeLandscape(model);
  // The share of the codes' variance along each axis.
  std::array<double, 2> squares = {0, 0};
  for (const json& place : document["places"]) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      squares[axis] += place[axis].get<double>() * place[axis].get<double>();
    }
  }
  double whole = 1e-300;
  for (std::size_t i = 0; i < model.training.codes.size(); ++i) {
    const double difference = model.training.codes[i] - model.map.mean[i % model.map.mean.size()];
    whole += difference * difference;
  }
  document["variance_shares"] = {squares[0] / whole, squares[1] / whole};
  document["environment"] = model.description.environment.id;
  document["variant"] = model.description.variant;
  document["objectives"] = eval::ObjectivesOf(model.description);
  document["metrics"] = *model.metrics;
  return document;
}

}  // namespace rhumb::eval
