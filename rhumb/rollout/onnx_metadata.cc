#include "rhumb/rollout/onnx_metadata.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "rhumb/core/version.h"
#include "rhumb/rollout/code_runner.h"

namespace rhumb::rollout {
namespace {

// "qvel", "joint/hip/qpos", or the expression.
std::string TermName(const sim::ObservationPart& part) {
  if (!part.expression.empty()) return part.expression;
  const sim::SliceSpec& slice = part.slice;
  if (slice.object.empty()) return slice.field;
  return fmt::format("{}/{}/{}", slice.object_type, slice.object, slice.field);
}

}  // namespace

std::map<std::string, std::string> OnnxMetadata(const net::Model& model,
                                                const core::Artifact& artifact) {
  const net::ModelDescription& description = model.description;
  std::vector<std::string> joints, terms, names, units;
  std::string time_step;
  if (description.environment.has_files()) {
    const sim::Environment environment = MakeEnvironment(model);
    joints = environment.action_names();
    for (const sim::ObservationPart& part : environment.spec().observation) {
      terms.push_back(TermName(part));
    }
    time_step = fmt::format("{}", environment.control_step());
  } else {
    for (int a = 0; a < model.action_size(); ++a) joints.push_back(fmt::format("action_{}", a));
    terms = {"observation"};
  }
  for (const net::ModelObjective& objective : description.objectives) {
    names.push_back(objective.name);
    units.push_back(objective.unit);
  }
  const auto list = [](const auto& items) { return fmt::format("{}", fmt::join(items, ",")); };
  return {{"joint_names", list(joints)},
          {"default_joint_pos", list(model.action_centre)},
          {"action_scale", list(model.action_half_range)},
          {"observation_names", list(terms)},
          {"observation_terms_scale", list(std::vector<int>(terms.size(), 1))},
          {"run_path", artifact.path().filename().string()},
          {"rhumb.environment", description.environment.id},
          {"rhumb.rewards", description.environment.rewards},
          {"rhumb.objectives", list(names)},
          {"rhumb.units", list(units)},
          {"rhumb.model_hash", artifact.hash()},
          {"rhumb.time_step", time_step},
          {"rhumb.version", std::string(core::kVersion)}};
}

}  // namespace rhumb::rollout
