#include "rhumb/eval/map/model_map.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "rhumb/core/files/json_file.h"
#include "rhumb/eval/figure_data.h"
#include "rhumb/net/steadiness.h"
#include "rhumb/steer/forecaster.h"

namespace rhumb::eval {
namespace {

constexpr double kDoubtLevel = 0.9;

}  // namespace

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

json DescribeTried(const net::Model& model) {
  for (const net::RolloutMode mode : net::kRolloutModeNames.values()) {
    const steer::Forecaster forecaster(model, mode, "auto");
    const net::CodeTable* tried = forecaster.rollouts();
    if (tried == nullptr) continue;
    json places = json::array();
    std::vector<double> spread, doubt;
    const std::vector<steer::Forecast> forecasts = forecaster.Predict(tried->codes);
    const auto width = static_cast<std::size_t>(tried->objectives);
    for (int i = 0; i < tried->count(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      places.push_back(PlaceOnMap(model, tried->code(i)));
      spread.push_back(
          100 *
          net::LargestSpread(std::span<const float>(tried->deviations).subspan(row * width, width),
                             model.description));
      std::vector<double> halves;
      for (const auto& [low, high] : forecaster.IntervalsOf(forecasts[row], kDoubtLevel)) {
        halves.push_back((high - low) / 2);
      }
      doubt.push_back(100 * net::LargestSpread(halves, model.description));
    }
    return {{"mode", net::NameOf(mode)},
            {"episodes", forecaster.episodes()},
            {"places", places},
            {"values", RoundedRows(tried->values, width)},
            {"spread", RoundedList(spread)},
            {"doubt", RoundedList(doubt)}};
  }
  return nullptr;
}

json DescribeMap(const net::Model& model) {
  json document = DescribeLandscape(model);
  document["tried"] = DescribeTried(model);
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
