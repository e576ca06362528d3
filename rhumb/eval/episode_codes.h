// Codes and labels of any number of episodes of a dataset. Only a few episodes are in memory at a
// time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
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

// z of codes [N, H] by label: [P][N, Z], for the P labels that shaped the map.
std::vector<std::vector<float>> Project(const net::Projections& projections,
                                        std::span<const float> codes);

// The names of the labels that shaped the map.
std::vector<std::string> ShapingLabels(const net::ModelDescription& description);

// Their values in each episode, in standard deviations, repeated for every draw: [episodes, D, P].
std::vector<float> NormalisedLabels(const net::ModelDescription& description,
                                    const data::Dataset& dataset,
                                    std::span<const std::int64_t> episodes, int draws);

// The episodes of a split, which may be a union of splits such as "held_out". Throws an Error if
// there are none.
std::vector<std::int64_t> EpisodesIn(const data::Dataset& dataset, const std::string& split);

}  // namespace rhumb::eval
