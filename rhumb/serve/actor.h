// A behaviour on its way to the robot, and who acts it: a code through the model's decoder, or a
// policy of a population.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rhumb/net/gaussian_policy.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/answer.h"

namespace rhumb::serve {

// Vectors are per objective, [K].
struct Behaviour {
  std::vector<float> code;                // [H]; empty for a policy
  std::vector<double> predicted;          // empty if unknown
  std::vector<steer::Interval> interval;  // empty if unknown
  std::string label;
  std::vector<float> place = {};  // [2], in the model's layout; empty if it has none
  // Of a population. Null for a code, and while there is no policy yet: then nothing acts.
  std::shared_ptr<const net::GaussianPolicy> policy = nullptr;
  int agent = -1, iteration = -1;
};

// Acts for one robot. Sampled actions are keyed (seed, 0, episode, step), as in roll-outs. Used by
// one thread at a time.
class Actor {
 public:
  virtual ~Actor() = default;
  virtual void Begin(const Behaviour& behaviour, std::int64_t episode) = 0;
  // Changes the behaviour in the midst of an episode. A policy takes over at once. Returns false,
  // and changes nothing, if the behaviour does not fit.
  virtual bool TurnTo(const Behaviour& behaviour, int blend_steps) = 0;
  // observation [O] -> controls [A], the centre of the range if there is no usable number.
  virtual void Act(std::span<const double> observation, std::span<double> controls) = 0;
  // Of the last action, [H]: part of a blend, maybe. Empty for a policy.
  virtual std::span<const float> code() const { return {}; }
};

std::unique_ptr<Actor> MakeCodeActor(std::shared_ptr<const net::Model> model, net::RolloutMode mode,
                                     std::uint64_t seed);
// The environment must outlive it.
std::unique_ptr<Actor> MakePolicyActor(const sim::Environment& environment, net::RolloutMode mode,
                                       std::uint64_t seed);

}  // namespace rhumb::serve
