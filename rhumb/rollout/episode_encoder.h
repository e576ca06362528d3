// Codes of recorded episodes: draws contexts of state-action pairs and encodes them.
//
//   episode e, draw d -> `context` pairs without order, keyed (seed, e, d) -> encoder
//                     -> posterior mean, or a draw from the posterior, keyed likewise
//
// An episode's number in its dataset is its key, so that neither threads nor which other episodes
// are encoded change a code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"

namespace rhumb::rollout {

enum class CodeKind { kPosteriorMean, kPosteriorSample };

struct EncodeOptions {
  CodeKind kind = CodeKind::kPosteriorMean;
  int draws = 1;    // contexts per episode, D
  int context = 0;  // pairs per context; 0: as many as the model was trained on
  std::uint64_t seed = 0;
  int threads = 1;
};

// Gaussians over codes, one for each context.
struct Posteriors {
  std::vector<float> means, deviations;  // [episodes, D, H]
};

// Observations and actions of some episodes of a dataset. An Error where it was recorded in another
// environment or with other rewards than the model's, or an episode is shorter than the context.
data::Transitions LoadContexts(const data::Dataset& dataset, const net::Model& model,
                               std::span<const std::int64_t> episodes);

// The pairs are drawn with replacement, as in training.
Posteriors EncodePosteriors(const net::Model& model, const data::Transitions& transitions,
                            const EncodeOptions& options);

// A code drawn from each posterior of EncodePosteriors with the same transitions: [episodes, D, H].
std::vector<float> DrawCodes(const Posteriors& posteriors, const data::Transitions& transitions,
                             const EncodeOptions& options);

// Both at once: [episodes, D, H], of the kind that the options ask for.
std::vector<float> EncodeEpisodes(const net::Model& model, const data::Transitions& transitions,
                                  const EncodeOptions& options);

// The values of the model's objectives in each episode, attributes computed: [episodes, K]. A value
// that is not finite is an Error that names the objective and the episode; an objective that the
// dataset lacks, and another environment, are Errors too.
std::vector<double> LabelEpisodes(const net::ModelDescription& description,
                                  const data::Dataset& dataset,
                                  std::span<const std::int64_t> episodes);

}  // namespace rhumb::rollout
