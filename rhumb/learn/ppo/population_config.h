// Settings of `rhumb population train`. This header is free of torch because the command line
// describes the settings in --help.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/learn/ppo/ppo_config.h"

namespace rhumb::learn::ppo {

// The source of the weight vectors.
enum class WeightSource { kAuto, kGrid, kDirichlet, kList, kFile };
inline const core::Names<WeightSource> kWeightSourceNames = {
    {WeightSource::kAuto, "auto"},
    {WeightSource::kGrid, "grid"},
    {WeightSource::kDirichlet, "dirichlet"},
    {WeightSource::kList, "list"},
    {WeightSource::kFile, "file"}};

struct PopulationConfig {
  WeightSource weights = WeightSource::kAuto;
  int count = 10;
  std::vector<double> list;
  std::string file;
  int iterations = 300;
  int children = 0;
  std::vector<double> child_list;
  double child_share = 0.25;
  double child_rate_share = 1;
  int keep_every = 5;
  int checkpoint_every = 10;
  bool training = true;
  PpoConfig ppo;

  void Visit(core::FieldVisitor& v) {
    v("weights", weights, kWeightSourceNames,
      "where the weight vectors come from; auto: a grid for 2 objectives, else dirichlet");
    v("count", count, core::Range{1, 10000}, "root agents, for grid and dirichlet");
    v("list", list, core::Range{0, 1},
      "for weights = list: the vectors' numbers, one after another");
    v("file", file, "for weights = file: JSON, a list of weight vectors");
    v("iterations", iterations, core::Range{1, 1000000}, "of PPO per root agent");
    v("children", children, core::Range{0, 16},
      "agents between each two neighbouring roots; each starts from the root that does best by "
      "its weights");
    v("child_list", child_list, core::Range{0, 1},
      "weight vectors of the children, one after another; replaces `children`. The learning rate "
      "and the noise then fall from the roots' first iteration to the children's last");
    v("child_share", child_share, core::Range{0, 10},
      "iterations of a child as a share of a root's");
    v("child_rate_share", child_rate_share, core::Range{0, 1},
      "learning rate of a child's first iteration as a share of a root's");
    v("keep_every", keep_every, core::Range{1, 1000000}, "every n-th iteration becomes a policy");
    v("checkpoint_every", checkpoint_every, core::Range{1, 1000000},
      "iterations between two saves of the whole training state");
    v("training", training,
      "train as [training] of the robot's spec says, if it has one; false: the robot as it is");
    v.Group("ppo", ppo);
  }

  // At least one, and a multiple of keep_every, so that the last one is kept.
  int child_iterations() const {
    const double steps = std::max(1.0, std::round(child_share * iterations / keep_every));
    return static_cast<int>(steps) * keep_every;
  }
};

}  // namespace rhumb::learn::ppo
