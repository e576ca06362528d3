#include "rhumb/eval/steering_picture.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/eval/figure_data.h"
#include "rhumb/eval/model_map.h"
#include "rhumb/steer/descent.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/search.h"

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

// Evenly, with both ends.
std::vector<std::vector<float>> Thin(std::vector<std::vector<float>> path) {
  if (path.size() <= kPathPoints) return path;
  std::vector<std::vector<float>> kept;
  for (std::size_t i = 0; i < kPathPoints; ++i) {
    kept.push_back(std::move(path[i * (path.size() - 1) / (kPathPoints - 1)]));
  }
  return kept;
}

}  // namespace

std::string DescribeBriefly(steer::Query query) {
  const auto shorten = [](double& value) { value = std::stod(fmt::format("{:.6g}", value)); };
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
  const auto width = static_cast<std::size_t>(model.code_size());
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < static_cast<std::size_t>(model.training.count()); ++i) {
    double distance = 0;
    for (std::size_t j = 0; j < width; ++j) {
      const double off = static_cast<double>(model.training.codes[i * width + j]) -
                         static_cast<double>(model.map.mean[j]);
      distance += off * off;
    }
    if (distance >= least) continue;
    least = distance;
    best = i;
  }
  const auto begin = model.training.codes.begin() + static_cast<std::ptrdiff_t>(best * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

std::vector<std::vector<float>> TraceAnswer(const steer::Steerer& steerer, net::RolloutMode mode,
                                            const steer::Query& query,
                                            const steer::Reference* reference, std::uint64_t seed,
                                            const steer::Answer& answer) {
  if (answer.origin != steer::Origin::kSteered || answer.iterations == 0) return {};
  const net::Model& model = steerer.model();
  const steer::SteerOptions& options = steerer.options();
  const steer::Atlas atlas(model, mode, options);
  const steer::Problem problem = steer::MakeProblem(query, model, reference);
  const auto width = static_cast<std::size_t>(model.code_size());
  const steer::Search search(atlas);
  const steer::Effort effort{options.starts, options.iterations, options.max_distance,
                             options.margin};
  steer::Search::Seeds seeds{.seed = seed};
  if (reference != nullptr) seeds.code = reference->code;
  const std::vector<double> starts = search.Starts(problem, effort, seeds);

  // The descent again, now watched.
  std::vector<std::vector<std::vector<float>>> paths(starts.size() / width);
  const auto record = [&](int, std::span<const int> rows, const double* points, const double*) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      paths[static_cast<std::size_t>(rows[row])].emplace_back(points + row * width,
                                                              points + (row + 1) * width);
    }
  };
  const steer::PrimalDual::Observer observer(record);
  steer::Descent descent(atlas.forecaster, atlas.manifold, options, atlas.primal_step);
  descent.Run(problem, search.ConfidencePerBound(problem), starts, effort, &observer);
  for (std::vector<std::vector<float>>& path : paths) {
    const auto end = std::find(path.begin(), path.end(), answer.code);
    if (end != path.end()) return Thin({path.begin(), std::next(end)});
  }
  return {};
}

json DescribeSteering(const steer::Steerer& steerer, const steer::Query& query,
                      const std::vector<float>& before, std::span<const std::vector<float>> path,
                      const steer::Answer& answer, const eval::Realised* realised) {
  const net::Model& model = steerer.model();
  const net::ModelDescription& description = model.description;
  const auto describe = [&](const std::vector<float>& code) {
    return json{{"place", PlaceOnMap(model, code)}, {"predicted", steerer.Assess(code).predicted}};
  };
  json steps = json::array(), interval = json::object();
  for (const std::vector<float>& code : path) steps.push_back(describe(code));
  if (path.empty()) steps = {describe(before), describe(answer.code)};
  // Of a code that was rolled out more is known than the heads say.
  steps.back()["predicted"] = answer.predicted;
  for (std::size_t k = 0; k < answer.interval.size(); ++k) {
    interval[description.objectives[k].name] = {answer.interval[k].low, answer.interval[k].high};
  }
  json document = {{"environment", description.environment.id},
                   {"objectives", eval::ObjectivesOf(description)},
                   {"landscape", DescribeLandscape(model)},
                   {"query", DescribeQuery(query)},
                   {"before", describe(before)},
                   {"path", steps},
                   {"steered", !path.empty()},
                   {"predicted", steer::ByName(answer.predicted, description)},
                   {"interval", interval}};
  if (realised != nullptr) document["realised"] = eval::ToJson(*realised, description);
  return document;
}

}  // namespace rhumb::eval
