// Codes of any number of a dataset's episodes, of which few are in memory at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::eval {

// One row for each context: D of every episode. [episodes, D, H]
struct EpisodeCodes {
  std::vector<float> means, deviations;  // of the posteriors
  std::vector<float> drawn;              // a code of each posterior
};

// options.kind is of no matter. A dataset that the model cannot read is an Error.
EpisodeCodes EncodeInChunks(const net::Model& model, const data::Dataset& dataset,
                            std::span<const std::int64_t> episodes,
                            const rollout::EncodeOptions& options);

}  // namespace rhumb::eval
