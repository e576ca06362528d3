// Domain randomisation: what differs from the robot's model in one episode.
//
//   reset -> episode seed -> own model (masses, friction, gains, delay), pushes, observation noise
//
// Everything is a function of the episode's seed, so saving an episode means saving its seed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rhumb/core/math/random.h"
#include "rhumb/sim/model.h"
#include "rhumb/sim/spec.h"

namespace rhumb::sim {

// The seed of an episode at the model's own values, without pushes and noise.
constexpr std::uint64_t kNotRandomised = 0;

// Draws the seed of an episode. It has at most 53 bits, so a double holds it.
std::uint64_t DrawEpisodeSeed(core::Stream& stream);

// A RandomisationSpec resolved against a model. Constant and thread-safe after construction.
class Randomisation {
 public:
  // `control_step` is in seconds. `fields` [O] has the array that each observed number comes from;
  // "" for an expression.
  Randomisation(const RandomisationSpec& spec, const mjModel* model, double control_step,
                const std::vector<std::string>& fields);

  // Whether episodes differ at all, and whether they need models of their own.
  bool active() const { return changes_model() || !noise_.empty() || !pushes_.empty(); }
  bool changes_model() const {
    return !masses_.empty() || !frictions_.empty() || !gains_.empty() || delay_;
  }

  // Writes an episode's values into `own`, a copy of `nominal`. `scratch` belongs to `own` and is
  // overwritten.
  void ChangeModel(const mjModel* nominal, std::uint64_t seed, mjModel* own, mjData* scratch) const;

  // Sets the forces that push the robot during control step `step`, counted from 0.
  void Push(std::uint64_t seed, int step, mjData* data) const;

  // Adds the noise of one step to the observation [O].
  void AddNoise(std::uint64_t seed, int step, double* observation) const;

 private:
  struct Scale {
    int object;  // negative: all of the model
    Distribution factor;
  };
  struct Noise {
    int index;  // in the observation
    Distribution distribution;
  };
  struct BodyPush {
    int body;
    int period, duration;  // control steps
    Distribution force;
  };
  static std::vector<Scale> FindScales(const std::vector<ScaleSpec>& specs, const mjModel* model,
                                       mjtObj type);

  std::vector<Scale> masses_, frictions_, gains_;
  std::optional<Distribution> delay_;
  std::vector<Noise> noise_;
  std::vector<BodyPush> pushes_;
};

}  // namespace rhumb::sim
