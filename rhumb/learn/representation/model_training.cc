#include "rhumb/learn/representation/model_training.h"

#include <ATen/Parallel.h>
#include <mujoco/mujoco.h>
#include <torch/version.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/event_writer.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/data/dataset.h"
#include "rhumb/learn/device/cuda_library.h"
#include "rhumb/learn/device/malloc_settings.h"
#include "rhumb/learn/device/ranks.h"
#include "rhumb/learn/representation/dagger.h"
#include "rhumb/learn/representation/model_assembly.h"
#include "rhumb/learn/representation/model_plan.h"
#include "rhumb/learn/representation/representation_trainer.h"
#include "rhumb/rollout/code_runner.h"

namespace rhumb::learn::representation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;
using core::Outcome;

// File names in the work folder: states of phase 1 by epoch, states of DAgger by round and step,
// and visited states by round.
constexpr std::string_view kEpochState = "epoch", kRoundState = "dagger", kVisited = "visited";
constexpr std::int64_t kRoundStride = 10'000'000;
constexpr std::int64_t kStepsPerReport = 50;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

torch::Device PrepareDevice(device::Device device, int threads) {
  at::set_num_threads(threads);
  device::KeepFreedMemory();
  if (device == device::Device::kCpu) return torch::kCPU;
  core::LogInfo("device: {}", device::LoadCudaLibrary().describe_device());
  return torch::kCUDA;
}

// Saves a trainer as the latest of its numbered states.
template <class Trainer>
void SaveState(const Trainer& trainer, const fs::path& folder, std::string_view kind,
               std::int64_t number) {
  net::SafetensorsWriter out;
  trainer.SaveState(out);
  core::WriteFileAtomically(core::NumberedFile(folder, kind, number), out.Bytes());
  core::RemoveOthers(folder, kind, number);
}

// Settings that only control saving are left out.
json DescribeSettings(const RepresentationConfig& config) {
  json settings = core::ToJson(config);
  settings.erase("checkpoint_seconds");
  return settings;
}

class ModelTrainer {
 public:
  explicit ModelTrainer(const ModelRequest& request)
      : request_(request),
        config_(request.config),
        dataset_(data::Dataset::Open(request.dataset)),
        plan_(PlanModel(dataset_, config_)),
        ranks_(request.ranks ? device::Ranks::Join(request.device) : device::Ranks()),
        device_(PrepareDevice(request.device, request.job.threads)),
        network_check_(config_, plan_.shape) {
    if (!uses_dagger()) return;
    // Detects a wrong population or environment before hours of training.
    std::set<int> policies;
    for (const std::int64_t episode : plan_.episodes) {
      policies.insert(dataset_.index().episodes[static_cast<std::size_t>(episode)].policy);
    }
    teachers_.emplace(request.population, dataset_, std::vector(policies.begin(), policies.end()));
    environments_.push_back(std::make_unique<const sim::Environment>(
        rollout::MakeEnvironment(ExportNetworks(plan_, network_check_))));
    // Policies that were trained from other starts know how to recover; the decoder learns it too.
    if (environments_[0]->spec().training.differs()) {
      environments_.push_back(std::make_unique<const sim::Environment>(environments_[0]->bundle(),
                                                                       /*in_training=*/true));
    }
  }

  Outcome Train() {
    const auto start = Clock::now();
    // The first rank owns the work folder, and the others read from it.
    std::optional<core::WorkFolder> owned;
    std::optional<core::EventWriter> events;
    if (ranks_.is_first()) {
      owned.emplace(request_.out, DescribeRun());
      events.emplace(owned->path() / "tensorboard");
    }
    const fs::path folder = core::WorkFolderOf(request_.out);
    ranks_.Any(false);  // waits until the folder is there
    const TrainingSet set = LoadTrainingSet(dataset_, plan_.episodes, plan_.labels, plan_.scaling,
                                            plan_.target_kind, device_);
    RepresentationTrainer trainer(config_, plan_.shape, set, device_, request_.job.seed, ranks_);
    if (LearnRepresentation(folder, trainer, events) == Outcome::kStopped) return Outcome::kStopped;
    const double representation_seconds = SecondsSince(start);
    if (uses_dagger() && RunDagger(folder, set, trainer.network(), events) == Outcome::kStopped) {
      return Outcome::kStopped;
    }
    if (!ranks_.is_first()) return Outcome::kDone;  // the first rank does the rest
    const double training_seconds = SecondsSince(start);
    net::Model model = ExportNetworks(plan_, trainer.network());
    json metrics =
        CompleteModel(dataset_, plan_, config_, request_.job.seed, request_.job.threads, model);
    metrics["losses"] = LossesOf(trainer.history().back());
    metrics["seconds"] = {{"representation", representation_seconds},
                          {"dagger", training_seconds - representation_seconds},
                          {"all", SecondsSince(start)}};
    model.metrics = std::make_shared<const json>(std::move(metrics));
    model.provenance = std::make_shared<const json>(Provenance());
    net::WriteModel(model, request_.out, core::Existing::kRefuse, Manifest(SecondsSince(start)),
                    [&](core::ArtifactWriter& writer) {
                      core::EventWriter scalars(writer.file("tensorboard/x").parent_path());
                      for (const EpochRecord& record : trainer.history()) Log(scalars, record);
                    });
    owned->Remove();
    return Outcome::kDone;
  }

 private:
  bool is_quiet() const { return request_.job.quiet || !ranks_.is_first(); }
  bool uses_dagger() const { return !request_.population.empty() && config_.dagger.rounds > 0; }

  // Everything the result depends on.
  json DescribeRun() const {
    json run = {{"dataset", dataset_.artifact().hash()},
                {"dagger", uses_dagger()},
                {"config", DescribeSettings(config_)},
                {"seed", request_.job.seed},
                {"device", device::kDeviceNames.NameOf(request_.device)},
                {"threads", request_.job.threads}};
    if (ranks_.count() > 1) run["ranks"] = ranks_.count();  // sums are rounded differently
    return run;
  }

  json Provenance() const {
    json provenance = DescribeRun();
    provenance["dataset_path"] = request_.dataset.filename().string();
    provenance["training_episodes"] = plan_.episodes.size();
    provenance["population"] = uses_dagger() ? request_.population.filename().string() : "";
    provenance["versions"] = {{"torch", TORCH_VERSION}, {"mujoco", mj_versionString()}};
    return provenance;
  }

  json Manifest(double seconds) const {
    json manifest = DescribeRun();
    manifest["parents"] = {{"dataset", dataset_.artifact().hash()}};
    manifest["wall_seconds"] = seconds;
    manifest["versions"] = {{"torch", TORCH_VERSION}, {"mujoco", mj_versionString()}};
    return manifest;
  }

  static json LossesOf(const EpochRecord& record) {
    constexpr std::string_view kPrefix = "loss/";
    json losses = {{"skipped_steps", record.skipped_steps}};
    for (const auto& [value, tag] : kEpochNumbers) {
      if (tag.starts_with(kPrefix)) losses[std::string(tag.substr(kPrefix.size()))] = record.*value;
    }
    return losses;
  }

  using Events = std::optional<core::EventWriter>;  // of the first rank

  static void Log(core::EventWriter& events, const EpochRecord& record) {
    for (const auto& [value, tag] : kEpochNumbers) {
      if (tag.empty()) continue;
      events.AddScalar(tag, static_cast<std::int64_t>(record.epoch),
                       static_cast<float>(record.*value));
    }
    events.Flush();
  }

  void CheckSkipped(double skipped) const {
    if (skipped > config_.max_skipped_steps) {
      Fail(
          "{} steps had no finite gradient, more than max_skipped_steps={}; the last saved state "
          "is in '{}.work'",
          skipped, config_.max_skipped_steps, request_.out.string());
    }
  }

  Outcome LearnRepresentation(const fs::path& folder, RepresentationTrainer& trainer,
                              Events& events) const {
    const std::set<std::int64_t> saved = core::NumbersOf(folder, kEpochState);
    if (!saved.empty()) {
      trainer.RestoreState(
          net::SafetensorsFile(core::NumberedFile(folder, kEpochState, *saved.rbegin())));
      core::LogInfo("continuing from epoch {} of {}", trainer.epoch(), config_.epochs);
    }
    ranks_.Any(false);  // waits until all have read the state: the first rank replaces it
    core::Progress progress(
        "representation", config_.epochs * trainer.steps_per_epoch(),
        {.quiet = is_quiet(), .resumed = trainer.epoch() * trainer.steps_per_epoch()});
    auto last_save = Clock::now();
    while (trainer.epoch() < config_.epochs) {
      trainer.RunEpoch();
      const EpochRecord& record = trainer.history().back();
      CheckSkipped(record.skipped_steps);
      if (events) Log(*events, record);
      progress.SetSuffix(fmt::format("rec {:.3f}  kl {:.1f}  contrast {:.3f}  orth {:.4f}",
                                     record.reconstruction, record.posterior_kl, record.contrast,
                                     record.orthonormality));
      progress.Advance(trainer.steps_per_epoch());
      const bool stop = ranks_.Any(request_.job.should_stop());
      if (stop || trainer.epoch() == config_.epochs ||
          SecondsSince(last_save) >= config_.checkpoint_seconds) {
        if (ranks_.is_first()) SaveState(trainer, folder, kEpochState, trainer.epoch());
        last_save = Clock::now();
      }
      if (stop && trainer.epoch() < config_.epochs) return Outcome::kStopped;
    }
    return Outcome::kDone;
  }

  // The states visited in a round; read back from disk after an interruption.
  std::optional<VisitedStates> Visit(const fs::path& folder, int round,
                                     const RepresentationNetwork& network) const {
    const fs::path file = core::NumberedFile(folder, kVisited, round);
    if (!ranks_.is_first()) {
      if (ranks_.Any(false)) return std::nullopt;  // the first rank was stopped
      return VisitedStates::Load(file);
    }
    std::optional<VisitedStates> visited =
        fs::exists(file) ? VisitedStates::Load(file) : RollOut(file, round, network);
    ranks_.Any(!visited);
    return visited;
  }

  std::optional<VisitedStates> RollOut(const fs::path& file, int round,
                                       const RepresentationNetwork& network) const {
    core::Job job = request_.job;
    job.seed += static_cast<std::uint64_t>(round);
    std::vector<const sim::Environment*> environments;
    for (const auto& environment : environments_) environments.push_back(environment.get());
    std::optional<VisitedStates> visited = VisitStates({.environments = environments,
                                                        .dataset = dataset_,
                                                        .model = ExportNetworks(plan_, network),
                                                        .teachers = *teachers_,
                                                        .episodes = config_.dagger.episodes,
                                                        .changes = config_.dagger.changes,
                                                        .job = job});
    if (visited) visited->Save(file);
    return visited;
  }

  Outcome RunDagger(const fs::path& folder, const TrainingSet& set, RepresentationNetwork& network,
                    Events& events) const {
    const std::set<std::int64_t> saved = core::NumbersOf(folder, kRoundState);
    const std::int64_t latest = saved.empty() ? -1 : *saved.rbegin();
    ranks_.Any(false);  // waits until all have looked: the first rank adds states
    std::vector<VisitedStates> rounds;
    for (int round = 1; round <= config_.dagger.rounds; ++round) {
      std::optional<VisitedStates> visited = Visit(folder, round, network);
      if (!visited) return Outcome::kStopped;
      rounds.push_back(std::move(*visited));
      if (latest >= (round + 1) * kRoundStride) continue;  // the run is already in a later round
      const VisitedTargets targets = MakeTargets(rounds, *teachers_, device_);
      DecoderTrainer trainer(config_, plan_.shape, network, set, targets, *teachers_, round,
                             device_, request_.job.seed, ranks_);
      if (latest >= round * kRoundStride) {
        trainer.RestoreState(net::SafetensorsFile(core::NumberedFile(folder, kRoundState, latest)));
      }
      ranks_.Any(false);  // waits until all have read the state
      if (LearnRound(folder, round, trainer, events) == Outcome::kStopped) return Outcome::kStopped;
    }
    return Outcome::kDone;
  }

  Outcome LearnRound(const fs::path& folder, int round, DecoderTrainer& trainer,
                     Events& events) const {
    core::Progress progress(fmt::format("DAgger {}/{}", round, config_.dagger.rounds),
                            config_.dagger.steps, {.quiet = is_quiet(), .resumed = trainer.step()});
    auto last_save = Clock::now();
    while (trainer.step() < config_.dagger.steps) {
      const std::int64_t before = trainer.step();
      trainer.Run(kStepsPerReport);
      CheckSkipped(trainer.skipped());
      const double loss = trainer.loss();
      if (events) {
        events->AddScalar(fmt::format("dagger/round_{}", round), trainer.step(),
                          static_cast<float>(loss));
      }
      progress.SetSuffix(fmt::format("rec {:.3f}", loss));
      progress.Advance(trainer.step() - before);
      const bool stop = ranks_.Any(request_.job.should_stop());
      const bool done = trainer.step() == config_.dagger.steps;
      if (stop || done || SecondsSince(last_save) >= config_.checkpoint_seconds) {
        if (ranks_.is_first()) {
          SaveState(trainer, folder, kRoundState, round * kRoundStride + trainer.step());
        }
        last_save = Clock::now();
      }
      if (stop && !done) return Outcome::kStopped;
    }
    return Outcome::kDone;
  }

  const ModelRequest& request_;
  const RepresentationConfig& config_;
  data::Dataset dataset_;
  ModelPlan plan_;
  device::Ranks ranks_;
  torch::Device device_;
  RepresentationNetwork network_check_;  // reports invalid network settings at once
  std::optional<Teachers> teachers_;
  std::vector<std::unique_ptr<const sim::Environment>> environments_;  // DAgger's
};

}  // namespace

core::Outcome TrainModel(const ModelRequest& request) {
  ModelRequest tidy = request;
  for (fs::path* path : {&tidy.out, &tidy.dataset, &tidy.population}) {
    if (!path->has_filename()) *path = path->parent_path();  // "OUT/" is OUT
  }
  if (fs::exists(tidy.out)) {
    // The manifest may be that of a later command; the model remembers how it was trained.
    const net::Model made = net::ReadModel(tidy.out);
    core::RequireSameRun({{"dataset", core::Artifact::Open(tidy.dataset, "dataset").hash()},
                          {"seed", tidy.job.seed},
                          {"config", DescribeSettings(tidy.config)}},
                         made.provenance ? *made.provenance : json::object(), tidy.out);
    core::RemoveSpentWork(tidy.out);
    core::LogInfo("'{}' is already a finished model; nothing to do", tidy.out.string());
    return Outcome::kDone;
  }
  return ModelTrainer(tidy).Train();
}

}  // namespace rhumb::learn::representation
