#include "rhumb/learn/ppo/population.h"

#include <ATen/Parallel.h>
#include <torch/version.h>

#include <algorithm>
#include <future>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <thread>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/text.h"
#include "rhumb/learn/device/cuda_library.h"
#include "rhumb/learn/ppo/cohort.h"
#include "rhumb/learn/ppo/population_folder.h"
#include "rhumb/learn/ppo/scalarisation.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::learn::ppo {
namespace {

using nlohmann::json;

// The run fails if more than this share of an iteration's minibatches is skipped.
constexpr double kMaxSkippedShare = 0.25;

// Environments per simulation task: the largest number that gives each thread about four tasks.
int GroupSize(int environments, int agents, int threads) {
  int size = environments;
  while (size > 1 && size % 2 == 0 && agents * (environments / size) < 4 * threads) size /= 2;
  return size;
}

class Trainer {
 public:
  Trainer(const PopulationRequest& request)
      : request_(request),
        config_(request.config),
        environment_(sim::FindBundle(request.environment, request.rewards),
                     /*in_training=*/request.config.training),
        objectives_(core::NamesOf(environment_.objectives())),
        weights_(MakeWeights(config_, environment_.objective_count(), request.job.seed)),
        root_count_(static_cast<int>(weights_.size())) {
    const auto children = MakeChildWeights(config_, weights_);
    weights_.insert(weights_.end(), children.begin(), children.end());
    agent_ids_ = AgentIds();
    run_ = DescribeRun();
    cohorts_ = MakeCohorts(RootsToTrain(), 0, config_.iterations);
    // Last, so that invalid settings leave no folder behind.
    folder_ = std::make_unique<PopulationFolder>(request.out, run_);
    core::WriteBundle(environment_.bundle(), core::WorkFolderOf(request.out));
    AdoptRoots();
  }

  core::Outcome Train() {
    for (const auto& cohort : cohorts_) folder_->Restore(*cohort);
    if (IsTrained()) AddChildren();
    std::int64_t resumed = 0;
    for (const auto& cohort : cohorts_) {
      resumed += (cohort->iteration() - cohort->first_iteration()) * cohort->agent_count();
    }
    const auto roots = static_cast<std::int64_t>(RootsToTrain().size());
    const auto children = static_cast<std::int64_t>(agent_ids_.size()) - roots;
    const std::int64_t total = roots * config_.iterations + children * config_.child_iterations();
    if (resumed > 0) core::LogInfo("continuing from {} of {} agent-iterations", resumed, total);
    progress_ = std::make_unique<core::Progress>(
        "population", total,
        core::ProgressOptions{.quiet = request_.job.quiet, .resumed = resumed});
    const auto start = std::chrono::steady_clock::now();
    Run();
    if (IsTrained() && !has_children_) {
      AddChildren();
      Run();
    }
    progress_->Finish();
    if (request_.job.should_stop() && !IsTrained()) return core::Outcome::kStopped;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    folder_->Finish(cohorts_, DescribePopulation(), Manifest(seconds), request_.keep_states);
    return core::Outcome::kDone;
  }

 private:
  // Everything the result depends on. Of the thread settings, only the number of threads per agent
  // matters.
  json DescribeRun() const {
    return {{"environment", core::ToJson(environment_.bundle())},
            {"seed", request_.job.seed},
            {"device", device::kDeviceNames.NameOf(request_.device)},
            {"threads_per_agent", ThreadsPerAgent()},
            {"agents", agent_ids_},
            {"weights", weights_},
            {"config", core::ToJson(config_)}};
  }

  std::vector<int> AgentIds() const {
    std::vector<int> ids = request_.agents;
    if (ids.empty()) {
      for (int i = 0; i < static_cast<int>(weights_.size()); ++i) ids.push_back(i);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (ids.front() < 0 || ids.back() >= static_cast<int>(weights_.size())) {
      Fail("there are agents 0 to {}, not {}", weights_.size() - 1,
           ids.front() < 0 ? ids.front() : ids.back());
    }
    const auto roots = std::count_if(ids.begin(), ids.end(), [&](int id) { return IsRoot(id); });
    if (!IsRoot(ids.back()) && roots < root_count_ && request_.roots.empty()) {
      Fail("agent {} starts from the best of agents 0 to {}, which must be trained with it",
           ids.back(), root_count_ - 1);
    }
    return ids;
  }

  bool IsRoot(int agent) const { return agent < root_count_; }

  std::vector<AgentSpec> RootsToTrain() const {
    std::vector<AgentSpec> roots;
    for (const int id : agent_ids_) {
      if (IsRoot(id)) roots.push_back({.id = id, .weights = weights_[Index(id)]});
    }
    return roots;
  }

  // Restores the roots that were trained elsewhere, for the children. They are no part of the
  // result.
  void AdoptRoots() {
    if (request_.roots.empty() || IsRoot(agent_ids_.back())) return;
    std::vector<AgentSpec> missing;
    for (int id = 0; id < root_count_; ++id) {
      if (!std::binary_search(agent_ids_.begin(), agent_ids_.end(), id)) {
        missing.push_back({.id = id, .weights = weights_[Index(id)]});
      }
    }
    for (const std::string& part : request_.roots) folder_->Adopt(part, run_, config_.iterations);
    adopted_ = MakeCohorts(missing, 0, config_.iterations);
    for (const auto& cohort : adopted_) {
      folder_->Restore(*cohort);
      if (IsTrained(*cohort)) continue;
      Fail("agent {} starts from the best of agents 0 to {}, and agent {} is not among the roots",
           agent_ids_.back(), root_count_ - 1, cohort->agent(0).id);
    }
  }

  // Adds the cohorts of the children. The roots must be trained, since a child starts from one.
  void AddChildren() {
    has_children_ = true;
    std::vector<AgentSpec> children;
    for (const int id : agent_ids_) {
      if (IsRoot(id)) continue;
      const std::vector<double>& weights = weights_[Index(id)];
      children.push_back({.id = id, .weights = weights, .parent = BestRootFor(weights)});
    }
    if (children.empty()) return;
    for (auto& cohort : MakeCohorts(children, config_.iterations,
                                    config_.iterations + config_.child_iterations())) {
      folder_->Inherit(*cohort);
      folder_->Restore(*cohort);
      cohorts_.push_back(std::move(cohort));
    }
  }

  // The root with the largest w . R, R being its mean returns over its last iterations.
  int BestRootFor(const std::vector<double>& weights) const {
    constexpr std::size_t kLast = 10;
    int best = -1;
    double most = -std::numeric_limits<double>::infinity();
    // By number, so that the first of equals is the same wherever the roots were trained.
    std::map<int, const std::vector<IterationRecord>*> histories;
    for (const auto* cohorts : {&cohorts_, &adopted_}) {
      for (const auto& cohort : *cohorts) {
        for (int i = 0; i < cohort->agent_count(); ++i) {
          histories[cohort->agent(i).id] = &cohort->history(i);
        }
      }
    }
    for (const auto& [id, history] : histories) {
      const std::size_t count = std::min(kLast, history->size());
      double sum = 0;
      for (std::size_t t = history->size() - count; t < history->size(); ++t) {
        const std::vector<double>& returns = (*history)[t].returns;
        sum += std::inner_product(weights.begin(), weights.end(), returns.begin(), 0.0);
      }
      const double score = sum / static_cast<double>(count);
      if (score > most) {
        most = score;
        best = id;
      }
    }
    return best;
  }

  int WorkerCount() const {
    return std::min(request_.job.threads, static_cast<int>(agent_ids_.size()));
  }
  int ThreadsPerAgent() const {
    return request_.device == device::Device::kCuda
               ? 1
               : std::max(1, request_.job.threads / WorkerCount());
  }

  static std::size_t Index(int agent) { return static_cast<std::size_t>(agent); }

  std::vector<std::unique_ptr<Cohort>> MakeCohorts(const std::vector<AgentSpec>& agents,
                                                   std::int64_t first_iteration,
                                                   std::int64_t last_iteration) const {
    std::vector<std::unique_ptr<Cohort>> cohorts;
    torch::Device device(torch::kCPU);
    std::size_t per_cohort = 1;
    CohortOptions options{.seed = request_.job.seed,
                          .first_iteration = first_iteration,
                          .last_iteration = last_iteration,
                          .schedule_from = first_iteration,
                          .schedule_to = last_iteration};
    if (!config_.child_list.empty()) {
      options.schedule_from = 0;
      options.schedule_to = config_.iterations + config_.child_iterations();
    }
    if (request_.device == device::Device::kCuda) {
      core::LogInfo("device: {}", device::LoadCudaLibrary().describe_device());
      device = torch::Device(torch::kCUDA);
      per_cohort = (agents.size() + 1) / 2;  // one half simulates while the other learns
      options.group_size =
          GroupSize(config_.ppo.environments, static_cast<int>(per_cohort), request_.job.threads);
    } else {
      options.group_size = GroupSize(config_.ppo.environments, 4, ThreadsPerAgent());
    }
    PpoConfig ppo = config_.ppo;
    if (first_iteration > 0) ppo.learning_rate *= config_.child_rate_share;
    for (std::size_t i = 0; i < agents.size(); i += per_cohort) {
      const auto end = std::min(agents.size(), i + per_cohort);
      cohorts.push_back(std::make_unique<Cohort>(
          environment_, ppo, std::vector<AgentSpec>(agents.data() + i, agents.data() + end),
          options, device));
    }
    return cohorts;
  }

  static bool IsTrained(const Cohort& cohort) {
    return cohort.iteration() >= cohort.last_iteration();
  }

  // Whether all cohorts so far are.
  bool IsTrained() const {
    return std::all_of(cohorts_.begin(), cohorts_.end(),
                       [&](const auto& cohort) { return IsTrained(*cohort); });
  }

  void Run() {
    if (request_.device == device::Device::kCuda) {
      RunPipelined();
    } else {
      RunSideBySide();
    }
  }

  // CPU: each worker takes the least advanced free agent for one iteration. There is no barrier
  // between agents or iterations.
  void RunSideBySide() {
    std::mutex mutex;
    std::set<const Cohort*> in_work;
    std::exception_ptr failure;
    const auto take = [&]() -> Cohort* {
      const std::lock_guard lock(mutex);
      if (failure || request_.job.should_stop()) return nullptr;
      Cohort* chosen = nullptr;
      for (const auto& cohort : cohorts_) {
        if (IsTrained(*cohort) || in_work.contains(cohort.get())) continue;
        if (chosen == nullptr || cohort->iteration() < chosen->iteration()) chosen = cohort.get();
      }
      if (chosen != nullptr) in_work.insert(chosen);
      return chosen;
    };
    const auto work = [&] {
      at::set_num_threads(ThreadsPerAgent());
      core::ThreadPool pool(ThreadsPerAgent());
      try {
        while (Cohort* cohort = take()) {
          cohort->Simulate(pool);
          cohort->Learn();
          Keep(*cohort);
          const std::lock_guard lock(mutex);
          in_work.erase(cohort);
        }
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    };
    std::vector<std::thread> others;
    for (int i = 1; i < WorkerCount(); ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
    for (const auto& cohort : cohorts_) SaveIfAhead(*cohort);
  }

  // GPU: the cohorts take turns; while one learns, the next simulates on all cores.
  void RunPipelined() {
    core::ThreadPool pool(request_.job.threads);
    // The number of cohorts if none is left.
    const auto next_of = [&](std::size_t i) {
      for (std::size_t k = 1; k <= cohorts_.size(); ++k) {
        const std::size_t next = (i + k) % cohorts_.size();
        const int learns_now = next == i ? 1 : 0;
        const Cohort& cohort = *cohorts_[next];
        if (cohort.iteration() + learns_now < cohort.last_iteration()) return next;
      }
      return cohorts_.size();
    };
    std::size_t current = 0;
    while (current < cohorts_.size() && IsTrained(*cohorts_[current])) ++current;
    if (current == cohorts_.size()) return;
    cohorts_[current]->Simulate(pool);
    while (!request_.job.should_stop()) {
      const std::size_t next = next_of(current);
      const auto simulate_next = [&] { cohorts_[next]->Simulate(pool); };
      std::future<void> simulation;
      if (next != cohorts_.size() && next != current) {
        simulation = std::async(std::launch::async, simulate_next);
      }
      cohorts_[current]->Learn();
      Keep(*cohorts_[current]);
      if (simulation.valid()) simulation.get();
      if (next == cohorts_.size()) break;
      if (next == current) simulate_next();
      current = next;
    }
    // A segment that was simulated but not learned from is simulated again on resume.
    for (const auto& cohort : cohorts_) SaveIfAhead(*cohort);
  }

  // Saves the policies, states and scalars that are due after an iteration.
  void Keep(const Cohort& cohort) {
    const std::int64_t iteration = cohort.iteration();
    for (int i = 0; i < cohort.agent_count(); ++i) {
      const IterationRecord& record = cohort.history(i).back();
      if (static_cast<double>(record.skipped_minibatches) >
          kMaxSkippedShare * config_.ppo.epochs * config_.ppo.minibatches) {
        Fail(
            "agent {}, iteration {}: {} minibatches had no finite gradient; the last good state "
            "is in '{}.work'",
            cohort.agent(i).id, iteration, record.skipped_minibatches, request_.out.string());
      }
      if (iteration % config_.keep_every == 0) folder_->SavePolicy(cohort, i);
      Log(cohort.agent(i).id, record);
    }
    if (IsSaved(cohort)) folder_->SaveState(cohort);
  }

  // Whether Keep saves the state that a cohort is in.
  bool IsSaved(const Cohort& cohort) const {
    return cohort.iteration() % config_.checkpoint_every == 0 || IsTrained(cohort);
  }

  void SaveIfAhead(const Cohort& cohort) const {
    if (cohort.iteration() > cohort.first_iteration() && !IsSaved(cohort)) {
      folder_->SaveState(cohort);
    }
  }

  void Log(int agent, const IterationRecord& record) {
    const std::lock_guard lock(log_mutex_);
    auto& events = events_[agent];
    if (!events) events = std::make_unique<core::EventWriter>(folder_->TensorboardFolder(agent));
    LogScalars(*events, record, objectives_);
    events->Flush();
    std::string words = fmt::format("agent {} it {}", agent, record.iteration);
    for (std::size_t k = 0; k < objectives_.size(); ++k) {
      words += fmt::format("  {} {:.0f}", objectives_[k], record.returns[k]);
    }
    progress_->SetSuffix(words);
    progress_->Advance();
  }

  population::PopulationDescription DescribePopulation() const {
    population::PopulationDescription description{
        .environment = environment_.bundle(),
        .objectives = {},
        .observation_size = environment_.observation_size(),
        .action_size = environment_.action_size(),
        .time_limit = environment_.time_limit(),
        .weights = weights_,
        .iterations = config_.iterations,
        .agents = {}};
    for (const auto& objective : environment_.objectives()) {
      description.objectives.push_back({objective.name, objective.unit});
    }
    return description;
  }

  json Manifest(double seconds) const {
    json manifest = run_;
    manifest["threads"] = request_.job.threads;
    manifest["wall_seconds"] = seconds;
    manifest["parents"] = json::object();
    manifest["versions"] = {{"mujoco", mj_versionString()}, {"torch", TORCH_VERSION}};
    return manifest;
  }

  const PopulationRequest& request_;
  const PopulationConfig& config_;
  sim::Environment environment_;
  std::vector<std::string> objectives_;
  std::vector<std::vector<double>> weights_;  // of the roots, then of the children
  int root_count_;
  std::vector<int> agent_ids_;
  json run_;
  std::vector<std::unique_ptr<Cohort>> cohorts_;
  std::vector<std::unique_ptr<Cohort>> adopted_;  // roots that were trained elsewhere
  bool has_children_ = false;
  std::unique_ptr<PopulationFolder> folder_;
  std::unique_ptr<core::Progress> progress_;
  std::mutex log_mutex_;
  std::map<int, std::unique_ptr<core::EventWriter>> events_;
};

}  // namespace

core::Outcome TrainPopulation(const PopulationRequest& request) {
  PopulationRequest tidy = request;
  if (!tidy.out.has_filename()) tidy.out = tidy.out.parent_path();  // "OUT/" is OUT
  if (std::filesystem::exists(tidy.out)) {
    const core::Artifact made = core::Artifact::Open(tidy.out, "population");
    core::RequireSameRun(
        {{"environment", core::ToJson(sim::FindBundle(tidy.environment, tidy.rewards))},
         {"seed", tidy.job.seed},
         {"config", core::ToJson(tidy.config)}},
        made.manifest(), tidy.out);
    // A run that was stopped between its last two steps left its work.
    core::RemoveSpentWork(tidy.out);
    core::LogInfo("'{}' is a finished population already; nothing to do", tidy.out.string());
    return core::Outcome::kDone;
  }
  return Trainer(tidy).Train();
}

}  // namespace rhumb::learn::ppo
