// Rhumb inside another program, such as a robot's: load a model, steer, act. Such a program needs
// this header and answer.h, which it includes; both include the standard library alone.
//
//   BehaviourMap map = BehaviourMap::Load("cheetah.model");
//   Result result = map.Steer({.target = {"forward=4500"}, .require = {"energy>=-500"}});
//   CodePolicy policy = map.MakePolicy(result.answers.at(0).code);
//   while (running) policy.Act(observation, action);
//
// A mistake of the caller (a missing or damaged folder, an unknown objective, a code of the wrong
// size) throws std::runtime_error with one sentence. A query that cannot be met is a Result. Acting
// throws nothing and allocates nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rhumb/steer/answer.h"

namespace rhumb::steer {

// How a policy acts: it draws from its Gaussian, or takes the mean. Predictions are for one of
// them.
enum class ActionMode : std::uint8_t { kSampled, kMean };

// How a map is used.
struct MapOptions {
  ActionMode mode = ActionMode::kSampled;
  // Probability, below 1, that all requirements hold for the mean of as many runs as the model was
  // grounded with; 0: the prediction alone counts.
  double confidence = 0;
  int answers = 1;  // different answers to give, at most
};

// A number of a whole episode that can be steered.
struct MapObjective {
  std::string name;
  std::string unit;
  double min = 0, max = 0;  // in the training data
};

// A query in the words of `rhumb steer`: targets "forward=4500", requirements "energy>=-500", and
// expressions to make as large or as small as possible, "forward/energy".
struct TextQuery {
  std::vector<std::string> target{};
  std::vector<std::string> require{};
  std::vector<std::string> maximise{};
  std::vector<std::string> minimise{};
};

// A behaviour that acts. Belongs to one thread at a time; any number of policies may act at once.
// It shares the networks with its map, and may outlive it. A policy that was moved from can only be
// assigned to or destroyed.
class [[gnu::visibility("default")]] CodePolicy {
 public:
  CodePolicy(CodePolicy && other) noexcept;
  CodePolicy& operator=(CodePolicy&& other) noexcept;
  ~CodePolicy();

  // observation [O] -> action [A], both in the environment's own units. The action is clipped to
  // its range. It is what a roll-out of the code applies, to the bit where the range has at most
  // six digits; sampled ones are those of the first episode of the first code with the same seed.
  //
  // False where a size is wrong or a number is not finite. Then the action, as far as there is room
  // for it, is the centre of its range, and the policy does not count the step.
  [[nodiscard]] bool Act(std::span<const double> observation, std::span<double> action) noexcept;

 private:
  friend class BehaviourMap;
  struct Parts;
  explicit CodePolicy(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// A loaded model. Constant, thread-safe and cheap to copy: copies share everything.
class [[gnu::visibility("default")]] BehaviourMap {
 public:
  static BehaviourMap Load(const std::filesystem::path& folder, const MapOptions& options = {});
  // The same model, used in another way.
  BehaviourMap With(const MapOptions& options) const;

  const std::string& environment() const;  // the id of its environment
  const MapOptions& options() const;
  const std::vector<MapObjective>& objectives() const;  // [K]
  int observation_size() const;                         // O
  int action_size() const;                              // A
  int code_size() const;                                // H

  // Vectors over objectives are in the order of objectives(). Intervals are empty where the model
  // was not calibrated in this mode.
  Result Steer(const TextQuery& query) const;
  // Why a result has no answer, the nearest behaviour, and what would have an answer; "" where it
  // is solved.
  std::string Explain(const Result& result) const;

  // A policy for an answer's code [H], in the map's mode. Sampled actions are drawn from `seed`.
  CodePolicy MakePolicy(std::span<const float> code, std::uint64_t seed = 0) const;

 private:
  struct Parts;
  explicit BehaviourMap(std::shared_ptr<const Parts> parts);
  std::shared_ptr<const Parts> parts_;
};

}  // namespace rhumb::steer
