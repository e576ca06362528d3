// Collects a dataset from a population.
//
//   population -> SelectCheckpoints -> roll out the kept policies (EpisodeRecorder, one per worker)
//              -> in policy order: data::DatasetWriter
//              -> SelectBehaviours, AssignSplits -> dataset
#pragma once

#include <cstdint>
#include <filesystem>

#include "rhumb/core/process/config.h"
#include "rhumb/core/process/job.h"
#include "rhumb/data/selection.h"

namespace rhumb::rollout {

struct CollectConfig {
  std::int64_t steps_per_policy = 8000;
  int min_episode_steps = 32;
  int batch = 8;
  data::SelectionConfig selection;
  data::SplitConfig split;

  void Visit(core::FieldVisitor& v) {
    v("steps_per_policy", steps_per_policy, core::Range{1, 1e9, "steps"},
      "whole episodes are recorded until a policy has this many");
    v("min_episode_steps", min_episode_steps, core::Range{1, 1e9, "steps"},
      "shorter episodes are left out");
    v("batch", batch, core::Range{1, 4096},
      "episodes of a policy that run together; changes the speed, not the numbers");
    v.Group("selection", selection);
    v.Group("split", split);
  }
};

struct CollectRequest {
  std::filesystem::path population;
  std::filesystem::path out;
  CollectConfig config;
  core::Job job;  // the seed is at most 2^63 - 1
};

// The dataset depends on the population, the settings and the seed, not on the number of threads.
// It uses the population's environment. `out` appears complete at the end; after an Error or a stop
// it does not exist. An `out` that such a run made counts as done. Holds the steps of a few
// policies per thread in memory.
core::Outcome CollectDataset(const CollectRequest& request);

}  // namespace rhumb::rollout
