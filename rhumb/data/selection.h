// Which policies make a dataset, and what each is for: rules over a table of policies, and nothing
// else.
//
//   SelectCheckpoints -> roll the kept ones out -> SelectBehaviours -> AssignSplits
//
// Each rule only ever takes policies out, writes the verdict and its reason into the table, and
// gives the same answer for the same policies in any order.
#pragma once

#include <span>

#include "rhumb/core/config.h"
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
      "checkpoints of the first iterations are left out");
    v("every", every, core::Range{1, 1e6, "iterations"},
      "only checkpoints whose iteration is a multiple of this are kept");
    v("drop_last_weights", drop_last_weights, core::Range{0, 1e6},
      "the agents with the highest numbers, this many, are left out");
    v("stationary_fraction", stationary_fraction, core::Range{0, 1},
      "an agent whose last checkpoint moves less than this share of the liveliest agent's stands "
      "still and is left out; 0 keeps all");
    v("min_length", min_length, core::Range{0, 1, "of the time limit"},
      "policies with shorter episodes on average fall and are left out");
    v("max_variation", max_variation, core::Range{0, 1e6},
      "policies whose first objective varies more between episodes (std / |mean|) are left out");
    v("variation_floor", variation_floor, core::Range{0, 1e6},
      "|mean| in that ratio is at least this share of the std over all episodes");
    v("keep_unstable", keep_unstable, "keep policies that fall or vary, as the paper does");
  }
};

struct SplitConfig {
  double held_out_checkpoints = 0.1;
  bool hold_out_weight = true;
  double hole = 0;

  void Visit(core::FieldVisitor& v) {
    v("held_out_checkpoints", held_out_checkpoints, core::Range{0, 0.9},
      "share of the checkpoints held out, chosen by a hash of agent and iteration");
    v("hold_out_weight", hold_out_weight, "hold the middle weight vector out");
    v("hole", hole, core::Range{0, 0.5},
      "share of the policies in a box around the middle of the returns, which is left out of "
      "training");
  }
};

// Before the roll-outs: by agent and iteration alone.
void SelectCheckpoints(const SelectionConfig& config, std::span<Policy> policies);

// After them: by how the policies moved, how long they lasted (of `time_limit` steps; 0: none) and
// how much their first objective varied. Policies that were not measured get kNoEpisodes.
void SelectBehaviours(const SelectionConfig& config, int time_limit, std::span<Policy> policies);

// Of the kept policies: (b) those of the weight vector nearest to the mean of all weight vectors
// (of two equally near, the one with the larger first differing weight), where there are three or
// more; (a) of the rest, those whose hash falls into the held-out share, but never none or all of
// two or more; (c) where there is a hole, those that are then left to train and lie inside it, but
// never all. The hole is the box
//   |mean return - median over the policies| <= r * std over the policies    in every objective
// with the least r that gives it the share of all kept policies, those of (a) and (b) among them.
void AssignSplits(const SplitConfig& config, std::span<Policy> policies);

}  // namespace rhumb::data
