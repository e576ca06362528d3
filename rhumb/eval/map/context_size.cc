#include "rhumb/eval/map/context_size.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/least_squares.h"
#include "rhumb/eval/episode_codes.h"
#include "rhumb/eval/error_rate.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

json ToJson(const ProbeScore& score, std::span<const std::string> labels) {
  return {{"mse", core::ByName(score.mse, labels)}, {"mean_mse", score.mean_mse}};
}

}  // namespace

double MeanSpread(std::span<const float> means, int draws, int size) {
  const auto rows = static_cast<std::size_t>(draws), width = static_cast<std::size_t>(size);
  RHUMB_CHECK(draws >= 2 && !means.empty() && means.size() % (rows * width) == 0,
              "{} numbers of {} draws", means.size(), draws);
  double squares = 0;
  for (std::size_t first = 0; first < means.size(); first += rows * width) {
    for (std::size_t c = first; c < first + width; ++c) {
      double mean = 0;
      for (std::size_t d = 0; d < rows; ++d) mean += double{means[c + d * width]} / draws;
      for (std::size_t d = 0; d < rows; ++d) squares += std::pow(means[c + d * width] - mean, 2);
    }
  }
  const auto episodes = static_cast<double>(means.size() / (rows * width));
  return std::sqrt(squares / (episodes * (draws - 1)));
}

ContextSizeReport MeasureContextSizes(const net::Model& model, const data::Dataset& dataset,
                                      const ContextSizeConfig& config, std::uint64_t seed,
                                      int threads) {
  if (config.sizes.empty()) Fail("sizes is empty; give at least one context size");
  const net::ModelDescription& description = model.description;
  const int label_count = description.shaping_labels;
  const int code_size = model.code_size();
  const std::string place = dataset.artifact().path().string();
  const std::vector<std::int64_t> training = dataset.EpisodesOf(data::Split::kTrain);
  if (training.empty()) Fail("{} has no training episode", place);

  ContextSizeReport report;
  report.trained_size = description.context;
  report.labels = ShapingLabels(description);
  std::vector<double> mean_probe, drawn_probe;  // in the layout of core::SolveLeastSquares
  {
    const EpisodeCodes codes = EncodeInChunks(
        model, dataset, training, {.draws = config.train_draws, .seed = seed, .threads = threads});
    const std::vector<float> labels =
        NormalisedLabels(description, dataset, training, config.train_draws);
    mean_probe = core::SolveLeastSquares(codes.means, code_size, labels, label_count);
    drawn_probe = core::SolveLeastSquares(codes.drawn, code_size, labels, label_count);
    const std::size_t rows = codes.means.size() / static_cast<std::size_t>(code_size);
    // Treats all rows as draws of one episode.
    if (rows > 1) report.code_spread = MeanSpread(codes.means, static_cast<int>(rows), code_size);
  }

  for (const data::Split split : data::kSplits) {
    if (split == data::Split::kTrain) continue;
    const std::vector<std::int64_t> episodes = dataset.EpisodesOf(split);
    if (episodes.empty()) continue;
    const std::vector<float> labels =
        NormalisedLabels(description, dataset, episodes, config.draws);
    SplitContextSizes& own = report.splits[split];
    own.episodes = static_cast<std::int64_t>(episodes.size());
    std::vector<double> spreads;
    for (const int size : config.sizes) {
      const EpisodeCodes codes = EncodeInChunks(
          model, dataset, episodes,
          {.draws = config.draws, .context = size, .seed = seed, .threads = threads});
      ContextSizeRow& row = own.rows.emplace_back();
      row.size = size;
      row.mean_code = ScoreProbe(mean_probe, codes.means, code_size, labels, label_count);
      row.drawn = ScoreProbe(drawn_probe, codes.drawn, code_size, labels, label_count);
      row.spread = MeanSpread(codes.means, config.draws, code_size);
      row.deviation = std::accumulate(codes.deviations.begin(), codes.deviations.end(), 0.0) /
                      static_cast<double>(codes.deviations.size());
      spreads.push_back(row.spread);
    }
    own.spread_rate = MeasureRate(config.sizes, spreads);
  }
  if (report.splits.empty()) Fail("{} has no held-out episode", place);
  return report;
}

json ToJson(const ContextSizeReport& report) {
  json splits = json::object();
  for (const auto& [split, own] : report.splits) {
    json rows = json::array();
    for (const ContextSizeRow& row : own.rows) {
      rows.push_back({{"context", row.size},
                      {"mean_code", ToJson(row.mean_code, report.labels)},
                      {"drawn", ToJson(row.drawn, report.labels)},
                      {"spread", row.spread},
                      {"deviation", row.deviation}});
    }
    splits[data::NameOf(split)] = {
        {"episodes", own.episodes}, {"rows", rows}, {"spread_rate", own.spread_rate}};
  }
  return {{"labels", report.labels},
          {"trained_context", report.trained_size},
          {"code_spread", report.code_spread},
          {"splits", splits}};
}

}  // namespace rhumb::eval
