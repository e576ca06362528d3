#include "rhumb/eval/map/probe.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/least_squares.h"
#include "rhumb/core/math/running_statistics.h"
#include "rhumb/core/math/spread.h"
#include "rhumb/eval/episode_codes.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

// Codes of a split with their labels, one row per draw.
struct CodeSample {
  std::vector<float> codes;   // [rows, H]
  std::vector<float> labels;  // [rows, K], normalised
  double norm_sum = 0;        // of the posterior means
  double deviation_sum = 0;   // over all elements of the posteriors
};

CodeSample DrawSample(const net::Model& model, const data::Dataset& dataset,
                      std::span<const std::int64_t> episodes,
                      const rollout::EncodeOptions& options) {
  const auto code_size = static_cast<std::size_t>(model.code_size());
  CodeSample sample;
  EpisodeCodes codes = EncodeInChunks(model, dataset, episodes, options);
  sample.codes = std::move(codes.drawn);
  for (std::size_t i = 0; i < codes.means.size(); i += code_size) {
    double squares = 0;
    for (std::size_t j = i; j < i + code_size; ++j) {
      squares += double{codes.means[j]} * codes.means[j];
      sample.deviation_sum += codes.deviations[j];
    }
    sample.norm_sum += std::sqrt(squares);
  }
  sample.labels = NormalisedLabels(model.description, dataset, episodes, options.draws);
  return sample;
}

}  // namespace

ProbeScore ScoreProbe(std::span<const double> solution, std::span<const float> codes, int code_size,
                      std::span<const float> labels, int label_count) {
  ProbeScore score;
  score.mse = core::MeanSquaredErrors(solution, codes, code_size, labels, label_count);
  core::RunningStatistics statistics(label_count);
  statistics.AddRows(labels);
  for (std::size_t k = 0; k < score.mse.size(); ++k) {
    const double variance = std::pow(statistics.std()[k], 2);
    score.r2.push_back(variance > 0 ? 1 - score.mse[k] / variance
                                    : std::numeric_limits<double>::quiet_NaN());
  }
  score.mean_mse = core::SpreadOf(score.mse).mean;
  score.mean_r2 = core::SpreadOf(score.r2).mean;
  return score;
}

ProbeReport MeasureProbe(const net::Model& model, const data::Dataset& dataset,
                         const ProbeConfig& config, std::uint64_t seed, int threads) {
  const int label_count = model.description.shaping_labels;
  RHUMB_CHECK(label_count > 0, "a model without labels");
  ProbeReport report;
  report.labels = ShapingLabels(model.description);
  std::vector<double> solution;
  for (const data::Split split : data::kSplits) {
    const bool train = split == data::Split::kTrain;
    const std::vector<std::int64_t> episodes = dataset.EpisodesOf(split);
    if (episodes.empty()) {
      if (train) Fail("{} has no training episode", dataset.artifact().path().string());
      continue;
    }
    const int draws = train ? config.train_draws : config.held_out_draws;
    const CodeSample sample =
        DrawSample(model, dataset, episodes, {.draws = draws, .seed = seed, .threads = threads});
    if (train) {
      solution =
          core::SolveLeastSquares(sample.codes, model.code_size(), sample.labels, label_count);
      const double contexts = static_cast<double>(episodes.size()) * draws;
      report.code_norm = sample.norm_sum / contexts;
      report.code_deviation = sample.deviation_sum / (contexts * model.code_size());
    }
    ProbeScore score =
        ScoreProbe(solution, sample.codes, model.code_size(), sample.labels, label_count);
    score.episodes = static_cast<std::int64_t>(episodes.size());
    report.splits[split] = std::move(score);
  }
  return report;
}

json ToJson(const ProbeReport& report) {
  json splits = json::object();
  for (const auto& [split, score] : report.splits) {
    splits[data::NameOf(split)] = {{"episodes", score.episodes},
                                   {"mse", core::ByName(score.mse, report.labels)},
                                   {"r2", core::ByName(score.r2, report.labels)},
                                   {"mean_mse", score.mean_mse},
                                   {"mean_r2", score.mean_r2}};
  }
  return {{"labels", report.labels},
          {"splits", splits},
          {"code_norm", report.code_norm},
          {"code_deviation", report.code_deviation}};
}

}  // namespace rhumb::eval
