// Codes of any number of episodes of a dataset. Only a few episodes are in memory at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::eval {

// One row per context, D contexts per episode: [episodes, D, H].
struct EpisodeCodes {
  std::vector<float> means, deviations;  // of the posteriors
  std::vector<float> drawn;              // one code drawn from each posterior
};

// Ignores options.kind. Throws an Error if the model cannot read the dataset.
EpisodeCodes EncodeInChunks(const net::Model& model, const data::Dataset& dataset,
                            std::span<const std::int64_t> episodes,
                            const rollout::EncodeOptions& options);

}  // namespace rhumb::eval
