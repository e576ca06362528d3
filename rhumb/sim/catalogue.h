// Which environments there are: those that come with Rhumb, by id, and the user's own, by path.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "rhumb/sim/spec.h"

namespace rhumb::sim {

// The folder of the environments that come with Rhumb: ../share/rhumb/envs beside the binary.
std::filesystem::path BundledFolder();

// Every bundled environment, ordered by id.
std::vector<EnvironmentSpec> ListBundled();

// `name` is the id of a bundled environment, or the path of a spec (it ends in .toml). An unknown
// id is an Error with the nearest known one.
EnvironmentSpec FindSpec(std::string_view name);

}  // namespace rhumb::sim
