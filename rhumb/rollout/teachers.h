// The policies behind a dataset, read from the population that it was collected from.
#pragma once

#include <span>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/population/population_reader.h"

namespace rhumb::rollout {

// One network per entry of `policies`, which are numbers in the dataset. Throws an Error if the
// dataset was collected from another population.
std::vector<net::GaussianPolicy> ReadTeachers(const population::PopulationReader& population,
                                              const data::Dataset& dataset,
                                              std::span<const int> policies);

}  // namespace rhumb::rollout
