// Embeds Rhumb in another program, for example a robot's: load a model, steer, act. The program
// needs only this header and answer.h, which it includes. Both include only the standard library.
//
//   BehaviourMap map = BehaviourMap::Load("cheetah.model");
//   Result result = map.Steer({.target = {"forward=4500"}, .require = {"energy>=-500"}});
//   CodePolicy policy = map.MakePolicy(result.answers.at(0).code);
//   while (running) policy.Act(observation, action);
//   policy.SetCode(map.Steer({.target = {"forward=2000"}}).answers.at(0).code, 20);  // meanwhile
//
// A caller's mistake (a missing or damaged folder, an unknown objective, a code of the wrong size)
// throws std::runtime_error with one sentence. If memory runs out, loading and steering throw
// std::bad_alloc, and work again afterwards. An infeasible query is a Result. Acting throws nothing
// and allocates nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rhumb/steer/answer.h"

namespace rhumb::steer {

// Whether a policy samples from its Gaussian or takes the mean. Predictions apply to one mode
// only.
enum class ActionMode : std::uint8_t { kSampled, kMean };

// Options for using a map.
struct MapOptions {
  ActionMode mode = ActionMode::kSampled;
  // Probability, below 1, that all requirements hold for the mean of several runs. The number of
  // runs is the one the model was grounded with. With 0, only the prediction counts.
  double confidence = 0;
  int answers = 1;  // maximum number of distinct answers
};

// A steerable quantity of a whole episode.
struct MapObjective {
  std::string name;
  std::string unit;
  double min = 0, max = 0;  // range in the training data
};

// A query in the syntax of `rhumb steer`: targets "forward=4500" and requirements "energy>=-500".
// Expressions such as "forward/energy" may be maximised or minimised.
struct TextQuery {
  std::vector<std::string> target{};
  std::vector<std::string> require{};
  std::vector<std::string> maximise{};
  std::vector<std::string> minimise{};
};

// A policy for one behaviour. Use it from one thread at a time; any number of policies may act at
// once. It shares the networks with its map and may outlive the map. A moved-from policy can only
// be assigned to or destroyed.
class [[gnu::visibility("default")]] CodePolicy {
 public:
  CodePolicy(CodePolicy && other) noexcept;
  CodePolicy& operator=(CodePolicy&& other) noexcept;
  ~CodePolicy();

  // observation [O] -> action [A], both in the environment's own units. The action is clipped to
  // its range. It equals the action of a rollout of the code, bit for bit if the range has at most
  // six digits. Sampled actions equal those of the first episode of the first code with the same
  // seed.
  //
  // Returns false if a size is wrong or a number is not finite. The action is then filled with the
  // centre of its range, as far as it has room. The policy does not count the step.
  [[nodiscard]] bool Act(std::span<const double> observation, std::span<double> action) noexcept;

  // Steers again while the robot moves: the code of the following actions goes to `code` [H] on a
  // straight line and arrives with action number `blend_steps`. 0 takes it at once. A blend in
  // progress goes on from where it is. Allocates nothing.
  //
  // Returns false, and changes nothing, if the code has another size or a number that is not
  // finite, or if `blend_steps` is not in [0, 1000000].
  [[nodiscard]] bool SetCode(std::span<const float> code, int blend_steps = 0) noexcept;

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
  // Returns the same model with other options.
  BehaviourMap With(const MapOptions& options) const;

  const std::string& environment() const;  // the environment's id
  const MapOptions& options() const;
  const std::vector<MapObjective>& objectives() const;  // [K]
  int observation_size() const;                         // O
  int action_size() const;                              // A
  int code_size() const;                                // H

  // Vectors over objectives follow the order of objectives(). Intervals are empty if the model is
  // not grounded in this mode.
  Result Steer(const TextQuery& query) const;
  // Returns why a result has no answer, the nearest behaviour, and the changes that would help.
  // Returns "" if the query was solved.
  std::string Explain(const Result& result) const;

  // Makes a policy for an answer's code [H], in the map's mode. `seed` determines the sampled
  // actions.
  CodePolicy MakePolicy(std::span<const float> code, std::uint64_t seed = 0) const;
  // Makes the policy of a file from `rhumb steer --out` or `rhumb encode --out`, in the file's mode
  // if it names one. `answer` selects one of its answers, from 1. Throws if the file belongs to
  // another model.
  CodePolicy LoadPolicy(const std::filesystem::path& code_file, int answer = 1,
                        std::uint64_t seed = 0) const;

 private:
  struct Parts;
  CodePolicy MakePolicy(std::span<const float> code, ActionMode mode, std::uint64_t seed) const;
  explicit BehaviourMap(std::shared_ptr<const Parts> parts);
  std::shared_ptr<const Parts> parts_;
};

}  // namespace rhumb::steer
