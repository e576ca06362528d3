// An environment as data: the contents of a TOML file in envs/, checked for form but not yet
// against the robot's model. docs/your-own-robot.md explains every key.
//
//   spec (TOML) + MJCF = bundle  ->  Environment (environment.h)  ->  Batch (batch.h)
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/sim/distribution.h"

namespace rhumb::sim {

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// Some elements of a MuJoCo array: of the whole array or of one named object, `count` of them after
// the first `skip`.
struct SliceSpec {
  std::string field;        // the array's MuJoCo name
  std::string object_type;  // "joint", "body", "site", "sensor" or "actuator"; "" for all
  std::string object;       // its name; a body has the elements of all its joints
  int skip = 0;
  std::optional<int> count;  // if absent, all that follow
  std::string place;
};

// Elements of an array, or the value of an expression over the quantities; optionally clipped.
struct ObservationPart {
  SliceSpec slice;
  std::string expression;  // if not empty, instead of the slice
  std::optional<Interval> clip;
  bool unseen = false;  // observed, but policies and models do not look at it
  std::string place;
};

// A named value per step, computed in exactly one of these ways.
struct QuantitySpec {
  enum class Kind {
    kElement,       // one element of a MuJoCo array: of the state, a body, a site, a sensor, ...
    kSumSquares,    // over elements of a MuJoCo array, clipped first
    kCentreOfMass,  // of the whole robot, one axis
    kRate,          // change of another quantity per second, over the control step
    kDrawn,         // drawn at the start of an episode, then constant: a goal or a command
    kExpression,    // a formula over the quantities above
  };
  std::string name;
  Kind kind = Kind::kExpression;
  SliceSpec slice;            // kElement (one element), kSumSquares
  int axis = 0;               // kCentreOfMass
  std::string source;         // kRate: another quantity; kExpression: the formula
  Distribution distribution;  // kDrawn
  std::optional<Interval> clip;
  std::string help;
  std::string place;
};

// The robot is alive while all conditions hold; otherwise the episode terminates.
struct HealthCondition {
  std::string quantity;  // either a quantity ...
  SliceSpec every;       // ... or every one of these elements
  Interval range;
  bool inclusive = false;  // whether the ends of the range are healthy
  std::string place;
};

struct ObjectiveSpec {
  std::string name;
  std::string expression;
  std::string unit;  // unit of the return, the sum over an episode
  std::string help;
  std::string place;
};

// Sets some elements of the state at the start of an episode, each to `set`, or to its present
// value if that is empty, plus a draw of its own.
struct ResetStep {
  SliceSpec slice;
  std::string set;  // an expression over the drawn quantities
  std::optional<Distribution> noise;
};

// How an episode starts: at the model's default state or at a keyframe, changed by the steps.
struct ResetSpec {
  std::string keyframe;
  std::string accept;  // the drawn quantities are drawn again until this expression is true
  std::vector<ResetStep> steps;
  std::string place;
};

// A factor on a property of one object, or of all objects if the name is empty.
struct ScaleSpec {
  std::string object;
  Distribution factor;
  std::string place;
};

// Noise on the observed numbers of one MuJoCo array, or on all if the name is empty.
struct ObservationNoiseSpec {
  std::string field;
  Distribution distribution;
  std::string place;
};

// A force on a body's centre of mass, once in a period, with a random phase. Each axis is drawn.
struct PushSpec {
  std::string body;
  double period_s = 1;
  double duration_s = 0.1;  // at least one control step
  Distribution force;       // N
  std::string place;
};

// What differs between episodes besides the start; drawn once an episode, noise once a step.
struct RandomisationSpec {
  std::vector<ScaleSpec> mass, friction, gain;  // by body, geom, actuator
  std::optional<Distribution> delay;            // of the controls, seconds
  std::vector<ObservationNoiseSpec> observation;
  std::vector<PushSpec> pushes;
};

// What replaces the parts of the same names while policies are trained.
struct TrainingSpec {
  std::optional<ResetSpec> reset;
  double reset_share = 1;  // of the episodes that start so; the others start as usual
  std::optional<RandomisationSpec> randomisation;
  std::optional<int> time_limit;  // steps

  bool differs() const { return reset || randomisation || time_limit; }
};

// A value of whole episodes by which a model of this robot can be steered: "std(torso_pitch)".
struct AttributeSpec {
  std::string name;
  std::string expression;  // data/attribute.h
  std::string unit;
};

// Missing values are chosen from the model (DefaultCamera in renderer.h).
struct CameraSpec {
  std::string body;                          // body to follow
  double distance = 0;                       // metres; 0: not given
  std::optional<double> azimuth, elevation;  // degrees
  std::optional<double> height;              // of the point in the middle of the picture, metres
};

struct EnvironmentSpec {
  std::string id;
  std::string title;
  std::string description;
  std::string model;  // MJCF, relative to the TOML's folder
  int frame_skip = 1;
  int time_limit = 1000;  // steps
  // Whether mj_forward follows each control step, so that positions and sensors belong to the new
  // state instead of the one before the last substep.
  bool forward_after_step = false;
  std::optional<Interval> action_range;  // of actuators without a ctrlrange
  ResetSpec reset;
  RandomisationSpec randomisation;
  TrainingSpec training;
  std::vector<ObservationPart> observation;
  std::vector<QuantitySpec> quantities;
  std::vector<HealthCondition> health;
  // Reward presets by name. An alias holds the objectives of its target.
  std::map<std::string, std::vector<ObjectiveSpec>, std::less<>> rewards;
  std::string default_rewards;
  // Attributes that `rhumb reproduce` adds to its models.
  std::vector<AttributeSpec> attributes;
  // This robot's default settings for commands: preset ("default", "paper") -> command
  // ("population", "dataset") -> "key=value" settings in order.
  std::map<std::string, std::map<std::string, std::vector<std::string>>, std::less<>> settings;
  CameraSpec camera;

  // The settings of a command under a preset; empty if the spec has none.
  std::vector<std::string> SettingsOf(std::string_view preset, std::string_view command) const;
  // The preset's objectives; "" is the default preset. Throws Error if the preset is unknown.
  const std::vector<ObjectiveSpec>& objectives(std::string_view preset) const;
};

// Reads and checks the spec `name` of `files`, which must also hold the spec that it extends.
// Throws Error with file and line for unknown keys (with the nearest known key), wrong types and
// values out of range.
EnvironmentSpec ParseSpec(const core::FileMap& files, const std::string& name);

// The spec at `path` and the one it extends, by file name.
core::FileMap ReadSpecFiles(const std::filesystem::path& path);

}  // namespace rhumb::sim
