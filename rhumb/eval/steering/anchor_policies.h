// The policies that anchor tasks: imitated by the decoder, or played again.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/net/model.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/environment.h"

namespace rhumb::eval {

// The anchor of each task, as its number in the dataset. Throws an Error that names a task without
// an anchor, or with one that has no episode in the dataset.
std::vector<int> AnchorsOfTasks(std::span<const Task> tasks, const data::Dataset& dataset);

// One code per task [N, H]: the posterior mean of a context from the first episode of its anchor.
std::vector<float> EncodeAnchors(const net::Model& model, const data::Dataset& dataset,
                                 std::span<const Task> tasks, std::uint64_t seed, int threads);

struct PlayAgainOptions {
  int episodes = 4;   // per task
  int first_key = 0;  // task i starts as code first_key + i does
  core::Job job;
};

// Plays each task's anchor again, with sampled actions as when the dataset was collected. Values
// are those of the model's objectives. Returns nothing if stopped. Throws an Error if the dataset
// was collected from another population.
std::optional<rollout::CodeRun> PlayAnchors(const sim::Environment& environment,
                                            const net::Model& model, const data::Dataset& dataset,
                                            const population::PopulationReader& population,
                                            std::span<const Task> tasks,
                                            const PlayAgainOptions& options);

}  // namespace rhumb::eval
