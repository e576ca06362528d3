// Rolls out the answers of steering in simulation, and refines an answer with a few rollouts.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/query/query.h"

namespace rhumb::eval {

// The realised values of a code; vectors are per objective, [K], in the objectives' units.
struct Realised {
  std::vector<double> mean;  // over `episodes`; NaN if there are none
  std::vector<double> std;   // between the episodes; 0 for one episode
  int episodes = 0;          // usable episodes
  int diverged = 0;          // diverged episodes
};

// Returns one result per code of codes [N, H], or nothing if stopped.
std::optional<std::vector<Realised>> Verify(const sim::Environment& environment,
                                            const net::Model& model, std::span<const float> codes,
                                            const rollout::CodeRunOptions& options);

// An answer and its realised values.
struct RealisedAnswer {
  steer::Answer answer;
  Realised realised;
};

// Rolls out the alternatives of a diagnosis. Returns the alternative with the best steer::Nearness
// of its realised values, or nothing if stopped.
std::optional<RealisedAnswer> FindNearest(const sim::Environment& environment,
                                          const net::Model& model, const steer::Problem& problem,
                                          std::span<const steer::Answer> alternatives,
                                          const rollout::CodeRunOptions& options);

// One result per code of the run.
std::vector<Realised> RealisedOf(const rollout::CodeRun& run);

// {objective: {"mean", "std", "episodes"}}
nlohmann::json ToJson(const Realised& realised, const net::ModelDescription& model);

// One round: a code and its rollouts. A code that steering picks again is rolled out further.
struct RefinementRound : RealisedAnswer {
  double miss = 0;  // Problem::Miss of the realised means for the original query; +inf without
                    // usable episodes
  // [K]: estimated prediction error after this round; the next round shifts the query by it.
  std::vector<double> bias;
};

struct Refinement {
  std::vector<RefinementRound> rounds;
  int best = 0;  // index of the round with the smallest miss
  // The reason for stopping before the budget was spent: steering to the shifted query found no
  // code or refused it.
  std::optional<steer::Status> ended_by;

  const RefinementRound& chosen() const { return rounds[static_cast<std::size_t>(best)]; }
};

// Number of episodes per round for a refinement with `episodes` in total. Each round has
// kEpisodesOfRound episodes or a few more. With fewer than 2 * kEpisodesOfRound episodes there is
// one round, which cannot correct anything.
constexpr int kEpisodesOfRound = 4;
std::vector<int> SplitIntoRounds(int episodes);

// The query and the means to answer it.
struct RefinementTask {
  const steer::Query& query;
  const steer::Reference* reference = nullptr;  // of the query's changes
  const steer::Result& solved;  // Solve(query), with at least one answer, not refused
  // Solves the shifted queries.
  std::function<steer::Result(const steer::Query&)> solve;
};

// Rolls out the best answer, estimates the local prediction error, and steers again to a query that
// compensates for it. Repeats until `episodes` episodes are spent:
//
//   b_k <- b_k + w_k (realised_k - predicted_k - b_k),   w_k = t_k^2 / (t_k^2 + s_k^2 / n)
//   each number g that the query asks of a quantity q becomes g - (q(predicted + b) - q(predicted))
//
// t is the calibrated standard deviation of the prediction, or the label's if the prediction has
// none. s is the standard deviation between the n episodes. `options` apply to the rollouts, except
// for episodes and first_code. Each round's episodes have their own keys, so a later Verify of the
// chosen code repeats none of them. Its mean is therefore not biased by the choice. Returns nothing
// if stopped.
std::optional<Refinement> Refine(const sim::Environment& environment, const net::Model& model,
                                 const RefinementTask& task, int episodes,
                                 const rollout::CodeRunOptions& options);

// {"rounds": [{"code", "predicted", "realised", "miss", "bias"}], "best", "ended_by"}
nlohmann::json ToJson(const Refinement& refinement, const net::ModelDescription& model);

}  // namespace rhumb::eval
