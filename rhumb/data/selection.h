// Rules that choose the policies of a dataset and assign their splits.
//
//   SelectCheckpoints -> roll out the kept ones -> SelectBehaviours -> AssignSplits
//
// A rule only removes policies and writes the verdict with its reason into the table. The result
// does not depend on the order of the policies.
#pragma once

#include <span>

#include "rhumb/core/process/config.h"
#include "rhumb/data/policy.h"

namespace rhumb::data {

struct SelectionConfig {
  int skip_iterations = 30;
  int every = 5;
  int drop_last_weights = 0;
  double stationary_fraction = 0.1;
  double min_length = 0.8;
  double max_variation = 0.25;
  double variation_floor = 0.1;
  bool keep_unstable = false;

  void Visit(core::FieldVisitor& v) {
    v("skip_iterations", skip_iterations, core::Range{0, 1e6, "iterations"},
      "leave out checkpoints of the first iterations");
    v("every", every, core::Range{1, 1e6, "iterations"},
      "keep only checkpoints whose iteration is a multiple of this");
    v("drop_last_weights", drop_last_weights, core::Range{0, 1e6},
      "leave out this many agents, those with the highest numbers");
    v("stationary_fraction", stationary_fraction, core::Range{0, 1},
      "leave out agents that stand still: their last checkpoint moves less than this share of the "
      "liveliest agent's; 0 keeps all");
    v("min_length", min_length, core::Range{0, 1, "of the time limit"},
      "leave out policies that fall: their mean episode length is below this");
    v("max_variation", max_variation, core::Range{0, 1e6},
      "leave out policies whose first objective varies more between episodes (std / |mean|)");
    v("variation_floor", variation_floor, core::Range{0, 1e6},
      "lower bound of |mean| in that ratio, as a share of the std over all episodes");
    v("keep_unstable", keep_unstable, "keep policies that fall or vary, as the paper does");
  }
};

struct SplitConfig {
  double held_out_checkpoints = 0.1;
  bool hold_out_weight = true;
  int held_out_agent = -1;
  double hole = 0;

  void Visit(core::FieldVisitor& v) {
    v("held_out_checkpoints", held_out_checkpoints, core::Range{0, 0.9},
      "share of the checkpoints held out, chosen by a hash of agent and iteration");
    v("hold_out_weight", hold_out_weight, "hold out the policies of one weight vector");
    v("held_out_agent", held_out_agent, core::Range{-1, 1e6},
      "the agent whose weight vector that is; -1: the middle one");
    v("hole", hole, core::Range{0, 0.5},
      "leave out of training a box around the median returns that holds this share of the "
      "policies");
  }
};

// Before the rollouts: selects by agent and iteration.
void SelectCheckpoints(const SelectionConfig& config, std::span<Policy> policies);

// After the rollouts: selects by motion, mean length (of `time_limit` steps; 0: no limit) and
// variation of the first objective. Policies without measurements get kNoEpisodes.
void SelectBehaviours(const SelectionConfig& config, int time_limit, std::span<Policy> policies);

// Assigns the kept policies to splits, in this order:
//   (b) The policies of one weight vector, and of all agents that started from one of these. The
//       vector is the chosen agent's. Else, of at least three vectors, it is the one nearest to
//       their mean that belongs to an agent from which no other started. Of two equally near, it
//       takes the one with the larger first differing weight.
//   (a) Of the rest: the policies whose hash falls into the held-out share. Of two or more
//       policies, at least one is chosen and at least one remains.
//   (c) Of the rest: the policies inside the hole, if one is configured. Throws Error if it holds
//       none or all of them.
// The hole is the box
//   |mean return - median over the policies| <= r * std over the policies    in every objective
// with the smallest r for which it holds the given share of all kept policies, including (a) and
// (b).
void AssignSplits(const SplitConfig& config, std::span<Policy> policies);

}  // namespace rhumb::data
