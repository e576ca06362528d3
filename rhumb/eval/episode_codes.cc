#include "rhumb/eval/episode_codes.h"

#include <algorithm>

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

}  // namespace rhumb::eval
