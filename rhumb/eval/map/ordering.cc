#include "rhumb/eval/map/ordering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/eval/episode_codes.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

double Distance(std::span<const float> points, std::size_t size, std::size_t i, std::size_t j) {
  double squares = 0;
  for (std::size_t c = 0; c < size; ++c) {
    const double difference = double{points[i * size + c]} - points[j * size + c];
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

json ToJson(const OrderingScore& score, std::span<const double> deltas) {
  json strict = json::array();
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    strict.push_back({{"delta", deltas[i]}, {"margin", 1 / deltas[i]}, {"share", score.strict[i]}});
  }
  return {{"triples", score.triples},
          {"ties", score.ties},
          {"share", score.share},
          {"margin",
           {{"mean", score.margin.mean},
            {"median", score.margin.median},
            {"q10", score.margin.q10},
            {"q25", score.margin.q25},
            {"q75", score.margin.q75},
            {"q90", score.margin.q90}}},
          {"strict", strict}};
}

}  // namespace

std::vector<Triple> DrawTriples(std::uint32_t points, int count, core::Stream& noise) {
  RHUMB_CHECK(points >= 3, "triples of {} points", points);
  std::vector<Triple> triples(static_cast<std::size_t>(count));
  for (auto& [i, j, l] : triples) {
    // Draws each index among those left and skips over the taken ones.
    i = noise.Below(points);
    j = noise.Below(points - 1);
    if (j >= i) ++j;
    l = noise.Below(points - 2);
    if (l >= std::min(i, j)) ++l;
    if (l >= std::max(i, j)) ++l;
  }
  return triples;
}

OrderingScore ScoreOrdering(std::span<const Triple> triples, std::span<const float> points,
                            int size, std::span<const double> labels,
                            std::span<const double> deltas) {
  const auto width = static_cast<std::size_t>(size);
  RHUMB_CHECK(points.size() == labels.size() * width, "{} numbers of {} points", points.size(),
              labels.size());
  OrderingScore score;
  score.triples = static_cast<std::int64_t>(triples.size());
  std::vector<std::int64_t> kept(deltas.size(), 0);
  std::vector<double> margins;
  margins.reserve(triples.size());
  std::int64_t ordered = 0;
  for (const auto& [i, j, l] : triples) {
    const double to_j = std::abs(labels[i] - labels[j]), to_l = std::abs(labels[i] - labels[l]);
    double margin = Distance(points, width, i, l) - Distance(points, width, i, j);
    if (to_j > to_l) margin = -margin;
    const bool tie = to_j == to_l;
    for (std::size_t d = 0; d < deltas.size(); ++d) {
      kept[d] += tie ? std::abs(margin) < deltas[d] : margin > 1 / deltas[d];
    }
    if (tie) {
      ++score.ties;
      continue;
    }
    ordered += margin > 0;
    margins.push_back(margin);
  }
  score.share = margins.empty()
                    ? std::numeric_limits<double>::quiet_NaN()
                    : static_cast<double>(ordered) / static_cast<double>(margins.size());
  for (const std::int64_t count : kept) {
    score.strict.push_back(static_cast<double>(count) / static_cast<double>(score.triples));
  }
  score.margin = Summarise(std::move(margins));
  return score;
}

OrderingReport MeasureOrdering(const net::Model& model, const data::Dataset& dataset,
                               const OrderingConfig& config, std::uint64_t seed, int threads) {
  const net::ModelDescription& description = model.description;
  const auto label_count = static_cast<std::size_t>(description.shaping_labels);
  RHUMB_CHECK(model.projections.labels == description.shaping_labels, "{} projections of {} labels",
              model.projections.labels, label_count);
  OrderingReport report;
  report.config = config;
  report.labels = ShapingLabels(description);
  for (const data::Split split : data::kSplits) {
    const std::vector<std::int64_t> episodes = dataset.EpisodesOf(split);
    if (episodes.size() < 3) continue;
    const EpisodeCodes codes =
        EncodeInChunks(model, dataset, episodes, {.seed = seed, .threads = threads});
    const std::vector<float>& h = config.codes == "mean" ? codes.means : codes.drawn;
    const std::vector<std::vector<float>> z = Project(model.projections, h);
    const std::vector<double> values = rollout::LabelEpisodes(description, dataset, episodes);
    core::Stream noise(seed, core::Purpose::kContext, static_cast<int>(split), 0,
                       core::stream_key::kTriples);
    const std::vector<Triple> triples =
        DrawTriples(static_cast<std::uint32_t>(episodes.size()), config.triples, noise);

    SplitOrdering& own = report.splits[split];
    own.episodes = static_cast<std::int64_t>(episodes.size());
    std::vector<double> label(episodes.size());
    for (std::size_t k = 0; k < label_count; ++k) {
      for (std::size_t e = 0; e < episodes.size(); ++e) {
        label[e] = values[e * description.objectives.size() + k];
      }
      own.labels.push_back(
          {ScoreOrdering(triples, z[k], model.projections.size, label, config.deltas),
           ScoreOrdering(triples, h, model.code_size(), label, config.deltas)});
    }
  }
  if (report.splits.empty()) {
    Fail("{} has fewer than 3 episodes in every split; it takes 3 to compare distances",
         dataset.artifact().path().string());
  }
  return report;
}

json ToJson(const OrderingReport& report) {
  json splits = json::object();
  for (const auto& [split, own] : report.splits) {
    json ordering = json::object();
    for (std::size_t k = 0; k < report.labels.size(); ++k) {
      ordering[report.labels[k]] = {{"z", ToJson(own.labels[k].z, report.config.deltas)},
                                    {"h", ToJson(own.labels[k].h, report.config.deltas)}};
    }
    splits[data::NameOf(split)] = {{"episodes", own.episodes}, {"ordering", ordering}};
  }
  return {{"labels", report.labels}, {"codes", report.config.codes}, {"splits", splits}};
}

}  // namespace rhumb::eval
