// An environment: a robot's model and its spec, with names resolved to indices so that a step needs
// no lookup. Constant and shared by all its simulations; mutable state is in Simulation
// (simulation.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/sim/model.h"
#include "rhumb/sim/randomisation.h"
#include "rhumb/sim/slice.h"
#include "rhumb/sim/spec.h"

namespace rhumb::sim {

// Quantities of every environment. They come before those of the spec.
enum BuiltIn : int {
  kSumSquaredAction,  // sum_sq_action: sum of squared controls, in environment units
  kSumAbsAction,      // sum_abs_action
  kMaxAbsAction,      // max_abs_action
  kActionRate,        // action_rate: squared change of the controls; 0 in the first step
  kTime,              // time: seconds since the episode began
  kAlive,             // alive: 1 while healthy, else 0; only objectives may use it
  kBuiltInCount,
};

// A QuantitySpec resolved against a model.
struct Quantity : QuantitySpec {
  std::optional<Slice> elements = std::nullopt;  // kElement, kSumSquares
  int differentiated = 0;                        // kRate: index of the quantity whose rate this is
};

// Elements of an array, or the next of the observed expressions.
struct ObservationSlice {
  std::optional<Slice> elements;
  std::optional<Interval> clip;
};

struct HealthCheck {
  int quantity = -1;  // if negative, every one of `elements`
  std::optional<Slice> elements;
  Interval range;
  bool inclusive = false;

  bool Holds(double value) const {
    return inclusive ? value >= range.low && value <= range.high
                     : value > range.low && value < range.high;
  }
};

// A ResetStep resolved against a model.
struct StateChange {
  Slice elements;
  bool sets = false;  // to the next of the reset's expressions
  std::optional<Distribution> noise;
};

// A ResetSpec resolved against a model.
struct ResetRule {
  ResetSpec spec;
  double share = 1;   // of the episodes
  int keyframe = -1;  // at which an episode starts; negative for the model's default state
  std::vector<StateChange> changes;
};

// Constant and thread-safe after construction.
class Environment {
 public:
  // Reads no files. The bundle must contain them; callers check this first. `in_training`, as
  // policies are trained: with the spec's [training].
  explicit Environment(core::EnvironmentBundle bundle, bool in_training = false);

  const core::EnvironmentBundle& bundle() const { return bundle_; }
  const EnvironmentSpec& spec() const { return spec_; }
  const std::string& id() const { return spec_.id; }
  const mjModel* model() const { return model_.get(); }

  int observation_size() const { return observation_size_; }
  int action_size() const { return static_cast<int>(model_->nu); }
  int objective_count() const { return static_cast<int>(objectives_.size()); }
  std::span<const ObjectiveSpec> objectives() const { return objectives_; }
  const std::string& rewards() const { return bundle_.rewards; }
  int time_limit() const { return spec_.time_limit; }

  // Seconds per control step: frame_skip physics steps.
  double control_step() const { return model_->opt.timestep * spec_.frame_skip; }

  // The control is centre + half_range * action for an action in [-1, 1].
  std::span<const double> action_centre() const { return action_centre_; }
  std::span<const double> action_half_range() const { return action_half_range_; }
  // The actuator of each number of an action, by name if it has one.
  std::vector<std::string> action_names() const;

  // Built-in quantities first, then the spec's in order.
  std::span<const Quantity> quantities() const { return quantities_; }
  // Those that are drawn when an episode starts.
  std::vector<std::string> drawn_names() const;
  std::span<const HealthCheck> health() const { return health_; }
  std::span<const ObservationSlice> observation() const { return observation_; }
  // [observation_size]: 1 where policies and models do not look, else 0.
  std::span<const std::uint8_t> unseen() const { return unseen_; }

  // The ways in which an episode starts. In training there may be two, the usual one last.
  std::span<const ResetRule> resets() const { return resets_; }

  const Randomisation& randomisation() const { return *randomisation_; }

  // Whether any part uses values that only mj_rnePostConstraint computes.
  bool reads_contact_forces() const { return reads_contact_forces_; }

  // `expressions` are the values of the observed expressions, in order. observation
  // [observation_size]
  void Observe(const mjData* data, const double* expressions, double* observation) const;

 private:
  void ResolveQuantities();
  void ResolveObservation();
  void ResolveReset(const ResetSpec& spec, double share);
  void CheckAcceptance(const ResetSpec& reset) const;
  void ResolveHealth();
  void ResolveActions();
  void ResolveRandomisation();
  int FindQuantity(std::string_view name, std::string_view place) const;
  Slice UseSlice(const SliceSpec& spec);

  core::EnvironmentBundle bundle_;
  EnvironmentSpec spec_;
  ModelPointer model_;
  std::vector<ObjectiveSpec> objectives_;
  std::vector<Quantity> quantities_;
  std::vector<ObservationSlice> observation_;
  std::vector<std::uint8_t> unseen_;
  std::vector<HealthCheck> health_;
  std::vector<ResetRule> resets_;
  std::optional<Randomisation> randomisation_;
  std::vector<double> action_centre_, action_half_range_;
  int observation_size_ = 0;
  bool reads_contact_forces_ = false;
};

}  // namespace rhumb::sim
