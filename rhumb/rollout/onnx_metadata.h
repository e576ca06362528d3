// The metadata of an exported policy: what a robot's program must know to use it.
#pragma once

#include <map>
#include <string>

#include "rhumb/core/files/artifact.h"
#include "rhumb/net/model.h"

namespace rhumb::rollout {

// Keys that deployment tools read (mjlab, Isaac Lab): joint_names, default_joint_pos, action_scale,
// observation_names, observation_terms_scale and run_path, lists separated by commas. Keys of our
// own start with "rhumb.": environment, rewards, objectives, units, model_hash, version, time_step.
// Without the environment's files, joints are numbered and observations are one term.
std::map<std::string, std::string> OnnxMetadata(const net::Model& model,
                                                const core::Artifact& artifact);

}  // namespace rhumb::rollout
