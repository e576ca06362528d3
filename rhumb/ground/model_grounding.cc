#include "rhumb/ground/model_grounding.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/core/process/log.h"
#include "rhumb/ground/code_grounding.h"
#include "rhumb/rollout/code_runner.h"

namespace rhumb::ground {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Rows of `count` training codes, or of all if there are fewer: a random code of each policy in a
// random order, then a second one of each, and so forth.
std::vector<std::size_t> ChooseRows(const net::CodeTable& training, int count, std::uint64_t seed) {
  std::vector<std::size_t> rows(static_cast<std::size_t>(training.count()));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  core::Stream noise(seed, core::Purpose::kHeadFit, 0, core::stream_key::kGroundedEpisodes);
  core::Shuffle(std::span(rows), noise);
  // How many codes of the same policy come before.
  std::vector<int> turn(rows.size(), 0);
  std::map<std::int64_t, int> seen;
  if (!training.policies.empty()) {
    for (const std::size_t row : rows) turn[row] = seen[training.policies[row]]++;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return turn[a] < turn[b]; });
  rows.resize(std::min(rows.size(), static_cast<std::size_t>(count)));
  return rows;
}

// The codes of training episodes, and how many are to be explored. Where training codes are too
// few, more are explored.
CodesToGround ChooseCodes(const net::Model& model, const GroundRequest& request) {
  const net::CodeTable& training = model.training;
  const GroundingConfig& config = request.config;
  const auto explored = static_cast<int>(std::lround(config.exploration * config.codes));
  CodesToGround chosen;
  for (const std::size_t row : ChooseRows(training, config.codes - explored, request.job.seed)) {
    const std::span<const float> code = training.code(static_cast<int>(row));
    chosen.codes.insert(chosen.codes.end(), code.begin(), code.end());
    if (training.policies.empty()) continue;
    chosen.policies.push_back(training.policies[row]);
    chosen.owners.push_back(training.agents.empty() ? training.policies[row]
                                                    : training.agents[row]);
  }
  const int given = static_cast<int>(chosen.codes.size()) / model.code_size();
  chosen.explored = explored > 0 ? config.codes - given : 0;
  chosen.episodes = config.episodes;
  chosen.seed = request.job.seed;
  return chosen;
}

std::vector<net::RolloutMode> ParseModes(const std::vector<std::string>& words) {
  std::vector<net::RolloutMode> modes;
  for (const std::string& word : words) {
    const net::RolloutMode mode = net::ParseRolloutMode(word);
    if (std::find(modes.begin(), modes.end(), mode) == modes.end()) modes.push_back(mode);
  }
  if (modes.empty()) Fail("no mode was given; the modes are sampled and mean");
  return modes;
}

}  // namespace

core::Outcome GroundModel(const GroundRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  net::Model model = net::ReadModel(request.model);
  const bool replaces = request.out.empty();
  fs::path out = replaces ? request.model : request.out;
  if (!out.has_filename()) out = out.parent_path();  // "OUT/" is OUT

  // Everything the rollouts depend on.
  const json run = {{"command", "model ground"},
                    {"parents", {{"model", net::OpenModelArtifact(request.model).hash()}}},
                    {"modes", request.modes},
                    {"seed", request.job.seed},
                    {"config", core::ToJson(request.config)}};
  if (!replaces && fs::exists(out)) {
    core::RequireSameRun(run, net::OpenModelArtifact(out).manifest(), out);
    core::RemoveSpentWork(out);
    core::LogInfo("'{}' is already grounded; nothing to do", out.string());
    return core::Outcome::kDone;
  }
  const sim::Environment environment = rollout::MakeEnvironment(model);
  const CodesToGround codes = ChooseCodes(model, request);
  std::vector<CodesToGround> modes;
  json provenance = *model.provenance;
  for (const net::RolloutMode mode : ParseModes(request.modes)) {
    modes.push_back(codes);
    modes.back().mode = mode;
    provenance["grounded"][std::string(net::NameOf(mode))] = {
        {"seed", request.job.seed}, {"config", core::ToJson(request.config)}};
  }

  const core::WorkFolder work(out, run);
  const GroundingOptions options{.work = work.path(), .job = request.job};
  if (GroundCodes(environment, modes, options, model) == core::Outcome::kStopped) {
    return core::Outcome::kStopped;
  }
  model.provenance = std::make_shared<const json>(std::move(provenance));
  json manifest = run;
  manifest["threads"] = request.job.threads;
  manifest["wall_seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  manifest["versions"] = {{"mujoco", mj_versionString()}};
  net::WriteModel(model, out, replaces ? core::Existing::kReplace : core::Existing::kRefuse,
                  manifest);
  work.Remove();
  return core::Outcome::kDone;
}

}  // namespace rhumb::ground
