// Answers of steering, tried out: what codes realise in simulation, and the refinement of an answer
// by a few roll-outs.
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
#include "rhumb/steer/query.h"

namespace rhumb::eval {

// What a code gave; vectors by objective, [K], in the objectives' units.
struct Realised {
  std::vector<double> mean;  // over `episodes`; NaN where there is none
  std::vector<double> std;   // between them; 0 of one
  int episodes = 0;          // that gave numbers
  int diverged = 0;          // that did not
};

// One for each of the codes [N, H]; empty if stopped.
std::optional<std::vector<Realised>> Verify(const sim::Environment& environment,
                                            const net::Model& model, std::span<const float> codes,
                                            const rollout::CodeRunOptions& options);

// An answer, and what it realised.
struct RealisedAnswer {
  steer::Answer answer;
  Realised realised;
};

// Rolls the alternatives of a diagnosis out. Returns the one that came out nearest, by the
// steer::Nearness of what it realised; empty if stopped.
std::optional<RealisedAnswer> FindNearest(const sim::Environment& environment,
                                          const net::Model& model, const steer::Problem& problem,
                                          std::span<const steer::Answer> alternatives,
                                          const rollout::CodeRunOptions& options);

// One for each code of the run.
std::vector<Realised> RealisedOf(const rollout::CodeRun& run);

// {objective: {"mean", "std", "episodes"}}
nlohmann::json ToJson(const Realised& realised, const net::ModelDescription& model);

// A code that was rolled out on the way; one that steering came back to is rolled out further.
struct RefinementRound {
  steer::Answer answer;
  Realised realised;
  double miss = 0;  // Problem::Miss of the realised means for the query as asked; infinite of none
  // [K]: by how much predictions are off, as known after it; what the next one shifts by.
  std::vector<double> bias;
};

struct Refinement {
  std::vector<RefinementRound> rounds;
  int best = 0;  // the one with the least miss
  // Why the budget is not spent: steering to the shifted query gave no code, or refused what it
  // found.
  std::optional<steer::Status> ended_by;

  const RefinementRound& chosen() const { return rounds[static_cast<std::size_t>(best)]; }
};

// How many episodes each round of a refinement by `episodes` in all has: kEpisodesOfRound or a few
// more, and all in one round where they are fewer than twice as many. It takes two rounds to
// correct anything.
constexpr int kEpisodesOfRound = 4;
std::vector<int> SplitIntoRounds(int episodes);

// What is asked for, and how it is answered.
struct RefinementTask {
  const steer::Query& query;
  const steer::Reference* reference = nullptr;  // of the query's changes
  const steer::Result& solved;  // Solve(query), with at least one answer, not refused
  // Solve, for the shifted queries.
  std::function<steer::Result(const steer::Query&)> solve;
};

// Rolls the best answer out, learns from it how far off predictions are there, steers again to a
// query that makes up for it, and so on until `episodes` in all are spent:
//
//   b_k <- b_k + w_k (realised_k - predicted_k - b_k),   w_k = t_k^2 / (t_k^2 + s_k^2 / n)
//   each number g that the query asks of a quantity q becomes g - (q(predicted + b) - q(predicted))
//
// t: the calibrated deviation of the prediction, the label's where it has none; s: that between the
// n episodes. `options` are those of the roll-outs, but for episodes and first_code: a round's
// episodes have keys of their own, so that a later Verify of the chosen code repeats none of them
// and its mean is free of the choice. Empty if stopped.
std::optional<Refinement> Refine(const sim::Environment& environment, const net::Model& model,
                                 const RefinementTask& task, int episodes,
                                 const rollout::CodeRunOptions& options);

// {"rounds": [{"code", "predicted", "realised", "miss", "bias"}], "best", "ended_by"}
nlohmann::json ToJson(const Refinement& refinement, const net::ModelDescription& model);

}  // namespace rhumb::eval
