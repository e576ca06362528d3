#include "rhumb/steer/answer_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"

namespace rhumb::steer {
namespace {

using nlohmann::json;

json ToJson(const Diagnosis& diagnosis, const net::ModelDescription& model) {
  json relax = json::array();
  for (const Relaxation& one : diagnosis.relax) {
    relax.push_back({{"requirement", one.text},
                     {"quantity", one.quantity},
                     {"asked", one.asked},
                     {"needed", one.possible ? json(one.needed) : json()},
                     {"by", one.possible ? json(one.needed - one.asked) : json()}});
  }
  return {{"reason", Describe(diagnosis, model)},
          {"binding", diagnosis.binding},
          {"nearest", ByName(diagnosis.nearest.predicted, model)},
          {"interval", ByName(diagnosis.nearest.interval, model)},
          {"code", diagnosis.nearest.code},
          {"relax", relax}};
}

}  // namespace

json ByName(std::span<const double> values, const net::ModelDescription& model) {
  return core::ByName(values, core::NamesOf(model.objectives));
}

json ByName(const std::vector<Interval>& intervals, const net::ModelDescription& model) {
  json named = json::object();
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    named[model.objectives[k].name] = {intervals[k].low, intervals[k].high};
  }
  return named;
}

std::string Describe(const Diagnosis& diagnosis, const net::ModelDescription& model) {
  std::string text = diagnosis.reason;
  const std::vector<double>& values = diagnosis.nearest.predicted;
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += fmt::format("{} {} {:.4g}", k == 0 ? "; the nearest behaviour on this map has" : ",",
                        model.objectives[k].name, values[k]);
  }
  return text;
}

json ToJson(const Result& result, const net::ModelDescription& model) {
  json document = {{"status", NameOf(result.status)}, {"answers", json::array()}};
  for (const Answer& answer : result.answers) {
    json one = {{"code", answer.code},
                {"predicted", ByName(answer.predicted, model)},
                {"interval", ByName(answer.interval, model)},
                {"origin", NameOf(answer.origin)},
                {"distance_to_data", answer.distance_to_data},
                {"risk", answer.risk},
                {"iterations", answer.iterations}};
    if (std::isfinite(answer.probability)) one["probability"] = answer.probability;
    document["answers"].push_back(std::move(one));
  }
  if (result.infeasibility) document["infeasibility"] = ToJson(*result.infeasibility, model);
  if (result.interval_episodes > 0) {
    document["interval"] = {{"level", result.interval_level},
                            {"episodes", result.interval_episodes}};
  }
  return document;
}

}  // namespace rhumb::steer
