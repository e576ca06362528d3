// Finds environments: bundled ones and examples by id, the user's own by path.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/sim/spec.h"

namespace rhumb::sim {

// The folder of the bundled environments: ../share/rhumb/envs relative to the binary.
std::filesystem::path BundledFolder();

// The folder of the examples that come with Rhumb, beside it. They are found by id, not listed.
std::filesystem::path ExamplesFolder();

// Every bundled environment, ordered by id.
std::vector<core::EnvironmentBundle> ListBundled();

// The ids of the bundled environments and the examples.
std::vector<std::string> KnownIds();

// The spec file of `name`: the id of a bundled environment or example, or the path of a spec
// (ending in .toml). Throws Error with the nearest known id if unknown.
std::filesystem::path FindSpecFile(std::string_view name);

// The spec at `path` with every file that it needs. `rewards` is a preset of the spec; "" is its
// default. Throws Error if it needs a file outside the spec's folder.
core::EnvironmentBundle ReadBundle(const std::filesystem::path& path,
                                   std::string_view rewards = "");

// The bundle of FindSpecFile(name). Throws Error if it has the id of another environment that comes
// with Rhumb.
core::EnvironmentBundle FindBundle(std::string_view name, std::string_view rewards = "");

}  // namespace rhumb::sim
