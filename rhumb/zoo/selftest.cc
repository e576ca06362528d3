#include "rhumb/zoo/selftest.h"

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "rhumb/core/files/hash.h"
#include "rhumb/core/math/random.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/zoo/model_place.h"
#include "rhumb/zoo/zoo_signature.h"

namespace rhumb::zoo {
namespace {

constexpr int kSimulations = 4;
constexpr int kSteps = 25;
constexpr int kEpisodes = 2;
constexpr int kEpisodeSteps = 100;

void Append(std::span<const double> numbers, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void StepAtRandom(const sim::Environment& environment, std::string& bytes) {
  sim::Batch batch(environment, {.count = kSimulations});
  batch.Reset();
  std::vector<double> actions(static_cast<std::size_t>(kSimulations * environment.action_size()));
  core::Stream noise(/*seed=*/0, core::Purpose::kBenchmark);
  for (int step = 0; step < kSteps; ++step) {
    for (double& action : actions) action = noise.Uniform(-1, 1);
    batch.Step(actions);
    Append(batch.observations(), bytes);
    Append(batch.rewards(), bytes);
  }
}

void UseModel(const net::Model& model, std::string& bytes) {
  const nlohmann::json signature = SignModel(model);
  bytes += signature.dump();
  const rollout::CodeRun run =
      rollout::RollOutCodes(rollout::MakeEnvironment(model), model,
                            signature["code"].get<std::vector<float>>(),
                            {.episodes = kEpisodes, .steps = kEpisodeSteps, .job = {.quiet = true}})
          .value();
  Append(run.values, bytes);
}

}  // namespace

SelfTestReport RunSelfTest() {
  SelfTestReport report;
  std::string bytes;
  for (const core::EnvironmentBundle& bundle : sim::ListBundled()) {
    StepAtRandom(sim::Environment(bundle), bytes);
    ++report.environments;
    report.steps += kSimulations * kSteps;
  }
  for (const std::string& name : ZooNames()) {
    UseModel(net::ReadModel(ZooFolder() / name), bytes);
    ++report.models;
    report.steps += kEpisodes * kEpisodeSteps;
  }
  report.signature = core::Sha256(bytes).substr(0, 16);
  return report;
}

}  // namespace rhumb::zoo
