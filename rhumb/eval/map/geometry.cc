#include "rhumb/eval/map/geometry.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/principal_axes.h"
#include "rhumb/eval/episode_codes.h"
#include "rhumb/eval/figure_data.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

ErrorSummary SummariseNorms(std::span<const float> codes, std::size_t width) {
  std::vector<double> norms;
  for (std::size_t at = 0; at < codes.size(); at += width) {
    double squares = 0;
    for (const float number : codes.subspan(at, width)) squares += double{number} * number;
    norms.push_back(std::sqrt(squares));
  }
  return Summarise(std::move(norms));
}

}  // namespace

VarianceShares MeasureVariance(std::span<const float> points, int size) {
  const std::vector<double> scatter = core::FindPrincipalAxes(points, size).scatter;
  VarianceShares variance;
  variance.shares.assign(scatter.size(), 0);
  const double total = std::accumulate(scatter.begin(), scatter.end(), 0.0);
  if (total <= 0) return variance;
  double held = 0;
  for (std::size_t i = 0; i < scatter.size(); ++i) {
    variance.shares[i] = scatter[i] / total;
    if (held < kDimensionShare) ++variance.dimension;
    held += variance.shares[i];
  }
  return variance;
}

GeometryReport MeasureGeometry(const net::Model& model, const data::Dataset& dataset,
                               const GeometryConfig& config, std::uint64_t seed, int threads) {
  const data::DatasetIndex& index = dataset.index();
  std::vector<std::int64_t> episodes =
      ChooseEpisodes(index, dataset.AllEpisodes(), config.contexts, seed);
  if (episodes.empty()) Fail("{} has no episode", dataset.artifact().path().string());
  std::sort(episodes.begin(), episodes.end());

  GeometryReport report;
  report.codes = EncodeInChunks(model, dataset, episodes, {.seed = seed, .threads = threads}).means;
  report.projections = Project(model.projections, report.codes);
  report.labels = rollout::LabelEpisodes(model.description, dataset, episodes);
  for (const std::int64_t episode : episodes) {
    const int number = index.episodes[static_cast<std::size_t>(episode)].policy;
    const data::Policy& policy = index.policies[static_cast<std::size_t>(number)];
    report.splits.push_back(policy.split);
    report.weights.push_back(policy.weights);
  }
  report.norm = SummariseNorms(report.codes, static_cast<std::size_t>(model.code_size()));
  report.variance = MeasureVariance(report.codes, model.code_size());
  return report;
}

json ToJson(const GeometryReport& report, const net::Model& model) {
  json contexts = {
      {"codes", RoundedRows(report.codes, static_cast<std::size_t>(model.code_size()))},
      {"labels", RoundedRows(report.labels, model.description.objectives.size())},
      {"split", json::array()},
      {"weights", json::array()}};
  for (const std::vector<float>& z : report.projections) {
    contexts["projections"].push_back(
        RoundedRows(z, static_cast<std::size_t>(model.projections.size)));
  }
  for (const data::Split split : report.splits) {
    contexts["split"].push_back(static_cast<int>(split));
  }
  for (const std::vector<double>& weights : report.weights) {
    contexts["weights"].push_back(RoundedList(weights));
  }
  json splits = json::array();
  for (int split = 0; split < data::kSplitCount; ++split) {
    splits.push_back(data::NameOf(static_cast<data::Split>(split)));
  }
  return {{"objectives", ObjectivesOf(model.description)},
          {"splits", std::move(splits)},
          {"contexts", std::move(contexts)},
          {"norm",
           {{"mean", RoundTo(report.norm.mean, 5)},
            {"p10", RoundTo(report.norm.q10, 5)},
            {"p90", RoundTo(report.norm.q90, 5)}}},
          {"variance_shares", RoundedList(report.variance.shares)},
          {"dimension", report.variance.dimension}};
}

}  // namespace rhumb::eval
