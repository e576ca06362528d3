#include "rhumb/ground/attribute_grounding.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/work_folder.h"
#include "rhumb/ground/code_grounding.h"
#include "rhumb/rollout/code_runner.h"

namespace rhumb::ground {
namespace {

// The codes on which the model was grounded.
std::vector<CodesToGround> StoredCodes(const net::Model& model) {
  std::vector<CodesToGround> modes;
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (!model.grounded[i]) continue;
    const net::Grounding& grounding = *model.grounded[i];
    CodesToGround& mode = modes.emplace_back();
    mode.mode = static_cast<net::RolloutMode>(i);
    mode.codes = grounding.rolled_out.codes;
    mode.policies = grounding.rolled_out.policies;
    mode.episodes = grounding.episodes;
    mode.seed = grounding.seed;
  }
  return modes;
}

}  // namespace

core::Outcome AddGroundedAttributes(const rollout::AddAttributesRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  rollout::AttributedModel attributed = rollout::FitAttributes(request);
  const auto write = [&] {
    rollout::WriteAttributed(
        attributed, request.job,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  const std::vector<CodesToGround> modes = StoredCodes(attributed.model);
  if (modes.empty()) {
    write();
    return core::Outcome::kDone;
  }
  const sim::Environment environment = rollout::MakeEnvironment(attributed.model);
  const core::WorkFolder work(attributed.out, *attributed.run);
  const GroundingOptions options{.work = work.path(), .job = request.job};
  if (GroundCodes(environment, modes, options, attributed.model) == core::Outcome::kStopped) {
    return core::Outcome::kStopped;
  }
  write();
  work.Remove();
  return core::Outcome::kDone;
}

}  // namespace rhumb::ground
