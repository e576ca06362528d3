#include "rhumb/eval/steering/steering_picture.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "rhumb/eval/figure_data.h"
#include "rhumb/eval/map/model_map.h"
#include "rhumb/net/model.h"
#include "rhumb/net/steadiness.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/query/query_file.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

json DescribeQuery(const steer::Query& query) {
  json target = json::object();
  for (const steer::Target& one : query.targets) target[one.quantity] = one.value;
  const json words = steer::ToJson(query);
  return {{"text", DescribeBriefly(query)},
          {"target", target},
          {"require", words.value("require", json::array())}};
}

// {"places", "values", "unsteady"}: the codes that were tried, as the landscape; "unsteady" says
// which of them are not steady (net/steadiness.h). Without rollouts, the training codes.
json DescribeKnown(const steer::Steerer& steerer) {
  const net::Model& model = steerer.model();
  const net::CodeTable* tried = steerer.prepared().forecaster.rollouts();
  if (tried == nullptr) return DescribeLandscape(model);
  json places = json::array(), values = json::array(), unsteady = json::array();
  const std::size_t width = model.description.objectives.size();
  for (int i = 0; i < tried->count(); ++i) {
    places.push_back(PlaceOnMap(model, tried->code(i)));
    values.push_back(tried->values_of(i));
    const auto deviations = std::span<const float>(tried->deviations)
                                .subspan(static_cast<std::size_t>(i) * width, width);
    unsteady.push_back(net::LargestSpread(deviations, model.description) >= net::kSteadySpread);
  }
  return {{"places", places}, {"values", values}, {"unsteady", unsteady}};
}

}  // namespace

std::string DescribeBriefly(steer::Query query) {
  const auto shorten = [](double& value) { value = RoundTo(value, 6); };
  for (steer::Target& target : query.targets) {
    shorten(target.value);
    shorten(target.tolerance);
  }
  for (steer::Requirement& requirement : query.requirements) {
    shorten(requirement.low);
    shorten(requirement.high);
  }
  return steer::Describe(query);
}

std::vector<float> CodeBefore(const net::Model& model, const steer::Reference* reference) {
  if (reference != nullptr) return reference->code;
  std::span<const float> best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < model.training.count(); ++i) {
    const std::span<const float> code = model.training.code(i);
    double distance = 0;
    for (std::size_t j = 0; j < code.size(); ++j) {
      const double off = double{code[j]} - double{model.map.mean[j]};
      distance += off * off;
    }
    if (distance >= least) continue;
    least = distance;
    best = code;
  }
  return {best.begin(), best.end()};
}

json DescribeSteering(const steer::Steerer& steerer, const steer::Query& query,
                      const std::vector<float>& before, std::span<const std::vector<float>> path,
                      const steer::Answer& answer, const eval::Realised* realised) {
  const net::Model& model = steerer.model();
  const net::ModelDescription& description = model.description;
  const auto describe = [&](const std::vector<float>& code) {
    return json{{"place", PlaceOnMap(model, code)}, {"predicted", steerer.Assess(code).predicted}};
  };
  json steps = json::array();
  for (const std::vector<float>& code : path) steps.push_back(describe(code));
  if (path.empty()) steps = {describe(before), describe(answer.code)};
  // The answer may know more than the heads about a code that was rolled out.
  steps.back()["predicted"] = answer.predicted;
  json document = {{"environment", description.environment.id},
                   {"objectives", eval::ObjectivesOf(description)},
                   {"landscape", DescribeKnown(steerer)},
                   {"query", DescribeQuery(query)},
                   {"before", describe(before)},
                   {"path", steps},
                   {"steered", !path.empty()},
                   {"predicted", steer::ByName(answer.predicted, description)},
                   {"interval", steer::ByName(answer.interval, description)}};
  if (realised != nullptr) document["realised"] = eval::ToJson(*realised, description);
  return document;
}

void AddOtherAnswers(const steer::Steerer& steerer, const steer::Result& result, json& document) {
  document["status"] = steer::NameOf(result.status);
  document["others"] = json::array();
  for (std::size_t a = 1; a < result.answers.size(); ++a) {
    const steer::Answer& answer = result.answers[a];
    document["others"].push_back(
        {{"place", PlaceOnMap(steerer.model(), answer.code)}, {"predicted", answer.predicted}});
  }
}

}  // namespace rhumb::eval
