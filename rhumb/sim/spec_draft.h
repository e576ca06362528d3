// Drafts a spec for a robot that has none yet.
//
//   MJCF -> the body that travels, what to observe, the pace of control -> TOML with comments
//
// The draft loads as it is. What it guesses stands in its comments, for the user to change.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "rhumb/core/files/environment_bundle.h"

namespace rhumb::sim {

// Returns the bundle of the robot `mjcf`, a path relative to `folder`, with a drafted spec called
// `spec_name`. Energy is scaled so that random actions cost what they move. Throws Error if the
// robot cannot be read, or has no actuator.
core::EnvironmentBundle DraftSpec(const std::filesystem::path& folder, std::string_view mjcf,
                                  const std::string& spec_name);

}  // namespace rhumb::sim
