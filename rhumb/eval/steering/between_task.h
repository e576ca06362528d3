// Tasks between the strands of a population: behaviours that the decoder has and no policy showed.
//
//   pairs of training codes (h_i, h_j) -> h = (1 - t) h_i + t h_j, t ~ U(0.3, 0.7)
//     -> rollouts of h with mean v and standard deviation e -> kept if steady and new
//     -> a query for v_k +- 2 % r_k in every shaping objective k
//
// With labels l of the training episodes, their standard deviations s_k and ranges r_k:
//
//   pair    different agents, 0.3 <= sqrt(sum_k ((l_ik - l_jk) / s_k)^2) <= 1.2
//   steady  e_k < 1.5 % r_k for every k
//   new     max_k |v_k - l_pk| / r_k > 2 % for every training policy p with mean label l_p
//
// The codes of these tasks are never shown to the model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"

namespace rhumb::eval {

// Two training codes and the share t of the second.
struct Mixture {
  int first = 0, second = 0;
  double share = 0;

  bool operator==(const Mixture&) const = default;
};

// Draws pairs of training codes and mixes them. The model must outlive the mixer.
class CodeMixer {
 public:
  // Throws an Error if a shaping objective does not vary over the training labels.
  explicit CodeMixer(const net::Model& model);

  // A pure function of (seed, draw), uniform over the pairs that fit. Throws an Error if none of a
  // million random pairs fits.
  Mixture Draw(std::uint64_t seed, std::int64_t draw) const;
  // Appends the mixed code [H].
  void AppendCode(const Mixture& mixture, std::vector<float>& codes) const;
  // The two policies of the pair, the smaller number first.
  std::pair<std::int64_t, std::int64_t> PoliciesOf(const Mixture& mixture) const;

  // What must differ within a pair: "agents", or "policies" or "codes" where the model does not
  // know more.
  const std::string& different() const { return different_; }

 private:
  bool Fits(int first, int second) const;

  const net::Model& model_;
  std::string different_;
  std::vector<std::int64_t> policies_, owners_;  // [N]; owners differ within a pair
};

struct BetweenTask {
  Task task;
  std::int64_t draw = 0;
  Mixture mixture;
  std::pair<std::int64_t, std::int64_t> policies;
  std::vector<float> code;  // [H], the mixed code
  Realised realised;        // by the rollouts that made the task
};

struct BetweenTasks {
  std::vector<BetweenTask> tasks;  // in the order of their draws
  std::string different;           // CodeMixer::different
  std::int64_t draws = 0;          // mixtures rolled out up to the last task
  std::int64_t unsteady = 0;       // draws dropped as unsteady or diverged
  std::int64_t known = 0;          // draws dropped as too near to a training policy
};

struct BetweenTaskOptions {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  int count = 150;
  std::int64_t draws = 3000;  // at most
  int episodes = 4;           // per mixture
  int batch = 16;             // as in CodeRunOptions
  core::Job job;
};

// Largest error of values [K] against asked [K] over the shaping objectives, as a share of their
// label ranges; +inf if one is NaN.
double LargestMiss(std::span<const double> values, std::span<const double> asked,
                   const net::ModelDescription& model);

// Makes up to `count` tasks. They depend on the seed alone, not on threads or `batch`. Returns
// nothing if stopped. Throws an Error if no draw is kept.
std::optional<BetweenTasks> MakeBetweenTasks(const sim::Environment& environment,
                                             const net::Model& model,
                                             const BetweenTaskOptions& options);

}  // namespace rhumb::eval
