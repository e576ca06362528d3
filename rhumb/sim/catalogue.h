// Which environments there are: those that come with Rhumb, by id, and the user's own, by path.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "rhumb/core/environment_bundle.h"
#include "rhumb/sim/spec.h"

namespace rhumb::sim {

// The folder of the environments that come with Rhumb: ../share/rhumb/envs beside the binary.
std::filesystem::path BundledFolder();

// Every bundled environment, ordered by id.
std::vector<core::EnvironmentBundle> ListBundled();

// The spec file of `name`: the id of a bundled environment, or the path of a spec (it ends in
// .toml). An unknown id is an Error with the nearest known one.
std::filesystem::path FindSpecFile(std::string_view name);

// The spec at `path` with every file that it needs. `rewards` names a preset of the spec; "" takes
// its default. A file outside the spec's folder is an Error.
core::EnvironmentBundle ReadBundle(const std::filesystem::path& path,
                                   std::string_view rewards = "");

// The bundle of FindSpecFile(name).
core::EnvironmentBundle FindBundle(std::string_view name, std::string_view rewards = "");

}  // namespace rhumb::sim
