// Rhumb inside another program, such as a robot's: load a model, steer, act. The one header that
// such a program needs; it includes nothing but the standard library.
//
//   Map map = Map::Load("cheetah.model");
//   Result result = map.Steer({.target = {"forward=4500"}, .require = {"energy>=-500"}});
//   Policy policy = map.MakePolicy(result.answers.at(0).code);
//   while (running) policy.Act(observation, action);
//
// What the caller did wrong (a missing or damaged folder, an objective that the model does not
// have, a code of the wrong size) throws std::runtime_error with one sentence. A query that cannot
// be met is a Result. Acting throws nothing and allocates nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::embed {

// How a policy acts: it draws from its Gaussian, or takes the mean. Predictions are for one of
// them.
enum class Mode : std::uint8_t { kSampled, kMean };

// What a map is used for.
struct Options {
  Mode mode = Mode::kSampled;
  // That all requirements hold for the mean of as many runs as the model was grounded with, below
  // 1; 0: as predicted.
  double confidence = 0;
  int answers = 1;  // different answers to give, at most
};

// What can be steered: a number of a whole episode.
struct Objective {
  std::string name;
  std::string unit;
  double min = 0, max = 0;  // in the training data
};

// In the words of `rhumb steer`: targets "forward=4500", requirements "energy>=-500", and what is
// to be as large or as small as possible, "forward/energy".
struct Query {
  std::vector<std::string> target{};
  std::vector<std::string> require{};
  std::vector<std::string> maximise{};
  std::vector<std::string> minimise{};
};

struct Interval {
  double low = 0, high = 0;
};

// A behaviour. By objective, K of them, in their units and in the order of Map::objectives.
struct Answer {
  std::vector<float> code;         // [H]; all that MakePolicy needs, so keep it where you like
  std::vector<double> predicted;   // [K]
  std::vector<Interval> interval;  // [K]; empty where the model was not calibrated in this mode
  double distance_to_data = 0;     // in spacings of the training codes: 1 is near
};

enum class Status : std::uint8_t { kSolved, kInfeasible, kRefused, kIterationLimit };
// "solved", "infeasible", "refused", "iteration_limit"
[[gnu::visibility("default")]] std::string_view NameOf(Status status);

struct Result {
  Status status = Status::kSolved;
  std::vector<Answer> answers;    // best first; unless solved, what was found so far
  std::string diagnosis;          // why there is no answer, and what would have one; "": solved
  std::optional<Answer> nearest;  // the nearest behaviour that there is, unless solved
  double solve_ms = 0;
};

// A behaviour that acts. Belongs to one thread at a time; as many as you like may act at once. It
// shares the networks with its map, which may go first. Movable; what was moved from can only be
// assigned to or go.
class [[gnu::visibility("default")]] Policy {
 public:
  Policy(Policy && other) noexcept;
  Policy& operator=(Policy&& other) noexcept;
  ~Policy();

  // observation [O] -> action [A], both in the environment's own units. The action is clipped to
  // its range, and is what a roll-out of the code applies, to the bit where the range has at most
  // six digits; sampled ones are those of the first episode of the first code with the same seed.
  //
  // False where a size is wrong, or a number is not finite: then the action (as much of it as there
  // is room for) is the centre of its range, and the policy is as if it had not been asked.
  [[nodiscard]] bool Act(std::span<const double> observation, std::span<double> action) noexcept;

 private:
  friend class Map;
  struct Parts;
  explicit Policy(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// A loaded model. Constant, thread-safe and cheap to copy: copies share everything.
class [[gnu::visibility("default")]] Map {
 public:
  static Map Load(const std::filesystem::path& folder, const Options& options = {});
  // The same model, used in another way.
  Map With(const Options& options) const;

  const std::string& environment() const;  // the id of what it was trained in
  const Options& options() const;
  const std::vector<Objective>& objectives() const;  // [K]
  int observation_size() const;                      // O
  int action_size() const;                           // A
  int code_size() const;                             // H

  Result Steer(const Query& query) const;

  // A policy for an answer's code [H], in the map's mode. Sampled actions are drawn from `seed`.
  Policy MakePolicy(std::span<const float> code, std::uint64_t seed = 0) const;

 private:
  struct Parts;
  explicit Map(std::shared_ptr<const Parts> parts);
  std::shared_ptr<const Parts> parts_;
};

}  // namespace rhumb::embed
