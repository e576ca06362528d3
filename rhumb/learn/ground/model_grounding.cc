#include "rhumb/learn/ground/model_grounding.h"

#include <mujoco/mujoco.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/core/process/log.h"
#include "rhumb/learn/ground/code_grounding.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::learn::ground {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct CodesOfPolicies {
  std::vector<float> codes;            // [N, H]
  std::vector<std::int64_t> policies;  // [N]
};

// Adds `count` codes, spread evenly over the episodes: the first context of each, then the second,
// and so forth.
void AddCodes(const net::Model& model, const data::Dataset& dataset,
              std::vector<std::int64_t> episodes, int count, rollout::EncodeOptions options,
              CodesOfPolicies& to) {
  if (count == 0) return;
  std::sort(episodes.begin(), episodes.end());  // file order
  const auto wanted = static_cast<std::size_t>(count);
  options.draws = static_cast<int>((wanted + episodes.size() - 1) / episodes.size());
  const data::Transitions transitions = rollout::LoadContexts(dataset, model, episodes);
  const std::vector<float> codes = rollout::EncodeEpisodes(model, transitions, options);
  const auto draws = static_cast<std::size_t>(options.draws);
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t episode = i % episodes.size(), draw = i / episodes.size();
    const auto code =
        codes.begin() + static_cast<std::ptrdiff_t>(episode * draws + draw) * model.code_size();
    to.codes.insert(to.codes.end(), code, code + model.code_size());
    to.policies.push_back(transitions.policies[episode]);
  }
}

// Chooses posterior means and draws. The two kinds take episodes from opposite ends of a random
// order, so they overlap only if there are few.
CodesOfPolicies ChooseCodes(const net::Model& model, const data::Dataset& dataset,
                            const GroundRequest& request) {
  std::vector<std::int64_t> order = dataset.EpisodesOf(data::Split::kTrain);
  if (order.empty()) Fail("{} has no training episodes", request.data.string());
  core::Stream noise(request.job.seed, core::Purpose::kHeadFit, 0,
                     core::stream_key::kGroundedEpisodes);
  core::Shuffle(std::span(order), noise);
  const GroundingConfig& config = request.config;
  const auto sampled = static_cast<int>(std::lround(config.sampled_codes * config.codes));
  const auto first = [&](int count) {
    const auto most = std::min(order.size(), static_cast<std::size_t>(count));
    return std::vector(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most));
  };
  rollout::EncodeOptions options{.seed = request.job.seed, .threads = request.job.threads};
  CodesOfPolicies codes;
  options.kind = rollout::CodeKind::kPosteriorMean;
  AddCodes(model, dataset, first(config.codes - sampled), config.codes - sampled, options, codes);
  std::reverse(order.begin(), order.end());
  options.kind = rollout::CodeKind::kPosteriorSample;
  AddCodes(model, dataset, first(sampled), sampled, options, codes);
  return codes;
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

// Whether the manifest of a model says that this run made it.
bool IsMadeBy(const json& run, const fs::path& folder) {
  const core::Artifact artifact = net::OpenModelArtifact(folder);
  return std::all_of(run.items().begin(), run.items().end(), [&](const auto& entry) {
    return artifact.manifest().value(entry.key(), json()) == entry.value();
  });
}

}  // namespace

core::Outcome GroundModel(const GroundRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  net::Model model = net::ReadModel(request.model);
  const data::Dataset dataset = data::Dataset::Open(request.data);
  const bool replaces = request.out.empty();
  fs::path out = replaces ? request.model : request.out;
  if (!out.has_filename()) out = out.parent_path();  // "OUT/" is OUT

  // Everything the rollouts depend on.
  const json run = {{"command", "model ground"},
                    {"parents",
                     {{"model", net::OpenModelArtifact(request.model).hash()},
                      {"dataset", dataset.artifact().hash()}}},
                    {"modes", request.modes},
                    {"seed", request.job.seed},
                    {"config", core::ToJson(request.config)}};
  if (!replaces && fs::exists(out)) {
    if (!IsMadeBy(run, out)) {
      Fail("'{}' already exists and was made by another run; choose another folder", out.string());
    }
    core::RemoveSpentWork(out);
    core::LogInfo("'{}' is already grounded; nothing to do", out.string());
    return core::Outcome::kDone;
  }
  const sim::Environment environment = rollout::MakeEnvironment(model);
  const CodesOfPolicies codes = ChooseCodes(model, dataset, request);
  std::vector<CodesToGround> modes;
  json provenance = *model.provenance;
  for (const net::RolloutMode mode : ParseModes(request.modes)) {
    modes.push_back({mode, codes.codes, codes.policies, request.config.episodes, request.job.seed,
                     request.config.heads});
    provenance["grounded"][std::string(net::NameOf(mode))] = {
        {"dataset", dataset.artifact().hash()},
        {"seed", request.job.seed},
        {"config", core::ToJson(request.config)}};
  }

  const core::WorkFolder work(out, run);
  const GroundingOptions options{.work = work.path(), .device = request.device, .job = request.job};
  if (GroundCodes(environment, modes, options, model) == core::Outcome::kStopped) {
    return core::Outcome::kStopped;
  }
  model.provenance = std::make_shared<const json>(std::move(provenance));
  json manifest = run;
  manifest["device"] = device::kDeviceNames.NameOf(request.device);
  manifest["threads"] = request.job.threads;
  manifest["wall_seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  manifest["versions"] = {{"mujoco", mj_versionString()}, {"torch", TORCH_VERSION}};
  net::WriteModel(model, out, replaces ? core::Existing::kReplace : core::Existing::kRefuse,
                  manifest);
  work.Remove();
  return core::Outcome::kDone;
}

}  // namespace rhumb::learn::ground
