#include "rhumb/eval/episode_codes.h"

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::eval {
namespace {

// Episodes in memory at a time; does not affect the result.
constexpr std::size_t kChunk = 256;

void Append(std::vector<float>& all, const std::vector<float>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

}  // namespace

EpisodeCodes EncodeInChunks(const net::Model& model, const data::Dataset& dataset,
                            std::span<const std::int64_t> episodes,
                            const rollout::EncodeOptions& options) {
  EpisodeCodes codes;
  for (std::size_t begin = 0; begin < episodes.size(); begin += kChunk) {
    const auto chunk = episodes.subspan(begin, std::min(kChunk, episodes.size() - begin));
    const data::Transitions transitions = rollout::LoadContexts(dataset, model, chunk);
    const rollout::Posteriors posteriors = rollout::EncodePosteriors(model, transitions, options);
    Append(codes.means, posteriors.means);
    Append(codes.deviations, posteriors.deviations);
    Append(codes.drawn, rollout::DrawCodes(posteriors, transitions, options));
  }
  return codes;
}

std::vector<std::vector<float>> Project(const net::Projections& projections,
                                        std::span<const float> codes) {
  if (projections.labels == 0) return {};
  const auto labels = static_cast<std::size_t>(projections.labels);
  const auto size = static_cast<std::size_t>(projections.size);
  const auto code_size = static_cast<std::size_t>(projections.code_size);
  std::vector<float> z(labels * size);
  std::vector<std::vector<float>> projected(labels);
  for (std::size_t at = 0; at < codes.size(); at += code_size) {
    projections.Apply(codes.data() + at, z.data());
    for (std::size_t k = 0; k < labels; ++k) {
      projected[k].insert(projected[k].end(), z.data() + k * size, z.data() + (k + 1) * size);
    }
  }
  return projected;
}

std::vector<std::string> ShapingLabels(const net::ModelDescription& description) {
  return core::NamesOf(std::span(description.objectives)
                           .first(static_cast<std::size_t>(description.shaping_labels)));
}

std::vector<float> NormalisedLabels(const net::ModelDescription& description,
                                    const data::Dataset& dataset,
                                    std::span<const std::int64_t> episodes, int draws) {
  const std::vector<net::ModelObjective>& objectives = description.objectives;
  const std::vector<double> values = rollout::LabelEpisodes(description, dataset, episodes);
  std::vector<float> labels;
  for (std::size_t e = 0; e < episodes.size(); ++e) {
    for (int draw = 0; draw < draws; ++draw) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(description.shaping_labels); ++k) {
        const double value = values[e * objectives.size() + k];
        labels.push_back(static_cast<float>((value - objectives[k].mean) / objectives[k].std));
      }
    }
  }
  return labels;
}

std::vector<std::int64_t> EpisodesIn(const data::Dataset& dataset, const std::string& split) {
  std::vector<std::int64_t> episodes = dataset.AllEpisodes();
  const data::DatasetIndex& index = dataset.index();
  std::erase_if(episodes, [&](std::int64_t i) {
    const int policy = index.episodes[static_cast<std::size_t>(i)].policy;
    return !data::IsPartOf(index.policies[static_cast<std::size_t>(policy)].split, split);
  });
  if (episodes.empty()) {
    Fail("{} has no episode in the split '{}'", dataset.artifact().path().string(), split);
  }
  return episodes;
}

}  // namespace rhumb::eval
