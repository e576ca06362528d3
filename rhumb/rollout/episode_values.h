// The values of a model's objectives in a recorded episode: returns of the environment, and
// attributes such as "mean(torso_height)".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/data/attribute.h"
#include "rhumb/data/episode.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"

namespace rhumb::rollout {

// Used by one thread at a time.
class EpisodeValues {
 public:
  // Throws Error if the environment lacks an objective of the model, or if roll-outs cannot have an
  // attribute, for example of the scalar reward.
  EpisodeValues(const sim::Environment& environment, const net::Model& model);

  // values [K] of an episode with at least one step, which may still go on.
  void Compute(const data::Episode& episode, std::span<double> values);

 private:
  // The source of one of the model's objectives.
  struct Source {
    std::size_t objective = 0;  // of the environment, or
    std::optional<data::Attribute> attribute;
  };
  std::vector<Source> sources_;  // [K]
};

}  // namespace rhumb::rollout
