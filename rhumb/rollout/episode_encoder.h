// Codes of recorded episodes: draws contexts of state-action pairs and encodes them.
//
//   episode e, draw d -> `context` unordered pairs, keyed (seed, e, d) -> encoder
//                     -> posterior mean, or a draw from the posterior with the same key
//
// The key is the episode's number in its dataset. A code therefore depends neither on threads nor
// on the other episodes that are encoded.
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
  int context = 0;  // pairs per context; 0: the model's training size
  std::uint64_t seed = 0;
  int threads = 1;
};

// Gaussians over codes, one per context.
struct Posteriors {
  std::vector<float> means, deviations;  // [episodes, D, H]
};

// Loads observations and actions of some episodes of a dataset. Throws an Error if its environment
// or rewards differ from the model's, or if an episode is shorter than the context.
data::Transitions LoadContexts(const data::Dataset& dataset, const net::Model& model,
                               std::span<const std::int64_t> episodes);

// Draws the pairs with replacement, as in training.
Posteriors EncodePosteriors(const net::Model& model, const data::Transitions& transitions,
                            const EncodeOptions& options);

// Draws one code from each posterior of EncodePosteriors, given the same transitions: [episodes, D,
// H].
std::vector<float> DrawCodes(const Posteriors& posteriors, const data::Transitions& transitions,
                             const EncodeOptions& options);

// Does both steps and returns codes of kind options.kind: [episodes, D, H].
std::vector<float> EncodeEpisodes(const net::Model& model, const data::Transitions& transitions,
                                  const EncodeOptions& options);

// Posterior means of contexts whose pairs were drawn before. pairs [P, context, O + A] as recorded
// -> [P, H].
std::vector<float> EncodeContexts(const net::Model& model, std::span<const float> pairs);

// The values of the model's objectives in each episode, including computed attributes: [episodes,
// K]. Throws an Error that names objective and episode if a value is not finite. Also throws if the
// dataset lacks an objective or has another environment.
std::vector<double> LabelEpisodes(const net::ModelDescription& description,
                                  const data::Dataset& dataset,
                                  std::span<const std::int64_t> episodes);

}  // namespace rhumb::rollout
