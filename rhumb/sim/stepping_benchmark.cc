#include "rhumb/sim/stepping_benchmark.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/sim/batch.h"

namespace rhumb::sim {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Where an episode began: before step `step` of simulation `simulation`.
struct EpisodeStart {
  int step = 0;
  std::vector<double> qpos, qvel;
};

// What both contenders run: the same controls, and the same starts per simulation in step order.
struct Script {
  int steps = 0;
  std::vector<double> actions;                    // [steps, N, A]
  std::vector<std::vector<EpisodeStart>> starts;  // [N]
  std::vector<double> final_qpos;                 // [N, nq]
};

std::span<const double> ActionsOf(const Script& script, int step, std::size_t row) {
  return std::span(script.actions).subspan(static_cast<std::size_t>(step) * row, row);
}

Script WriteScript(const Environment& environment, const SteppingBenchmarkOptions& options,
                   int steps) {
  const mjModel* model = environment.model();
  Batch batch(environment, {.count = options.environments, .seed = options.seed});
  const auto row = static_cast<std::size_t>(options.environments * environment.action_size());
  Script script;
  script.steps = steps;
  core::Stream noise(options.seed, core::Purpose::kBenchmark);
  for (std::size_t i = 0; i < static_cast<std::size_t>(steps) * row; ++i) {
    script.actions.push_back(noise.Uniform(-1, 1));
  }
  script.starts.resize(static_cast<std::size_t>(options.environments));
  DataPointer data(mj_makeData(model));
  const auto note_start = [&](int step, int simulation) {
    batch.CopyData(simulation, data.get());
    script.starts[static_cast<std::size_t>(simulation)].push_back(
        {step, {data->qpos, data->qpos + model->nq}, {data->qvel, data->qvel + model->nv}});
  };
  batch.Reset();
  for (int i = 0; i < batch.count(); ++i) note_start(0, i);
  for (int step = 0; step < steps; ++step) {
    batch.Step(ActionsOf(script, step, row));
    for (int i = 0; i < batch.count(); ++i) {
      if (batch.outcomes()[static_cast<std::size_t>(i)].ended()) note_start(step + 1, i);
    }
  }
  for (int i = 0; i < batch.count(); ++i) {
    batch.CopyData(i, data.get());
    script.final_qpos.insert(script.final_qpos.end(), data->qpos, data->qpos + model->nq);
  }
  return script;
}

// MuJoCo alone. Allocated once, outside the timed part.
class BareLoop {
 public:
  BareLoop(const Environment& environment, const SteppingBenchmarkOptions& options)
      : environment_(environment), options_(options) {
    for (int i = 0; i < options.environments; ++i) {
      data_.emplace_back(mj_makeData(environment.model()));
    }
  }

  double Seconds(const Script& script) {
    const Clock::time_point start = Clock::now();
    std::vector<std::thread> others;
    for (int t = 1; t < options_.threads; ++t) {
      others.emplace_back([&, t] { Run(script, t); });
    }
    Run(script, 0);
    for (std::thread& other : others) other.join();
    return SecondsSince(start);
  }

  std::vector<double> final_qpos() const {
    std::vector<double> all;
    for (const DataPointer& data : data_) {
      all.insert(all.end(), data->qpos, data->qpos + environment_.model()->nq);
    }
    return all;
  }

 private:
  void Run(const Script& script, int thread) {
    const mjModel* model = environment_.model();
    const int count = options_.environments;
    const int begin = count * thread / options_.threads;
    const int end = count * (thread + 1) / options_.threads;
    const auto row = static_cast<std::size_t>(count * model->nu);
    std::vector<std::size_t> next(static_cast<std::size_t>(count), 0);
    const auto restart_if_due = [&](int step, int i) {
      const auto& starts = script.starts[static_cast<std::size_t>(i)];
      std::size_t& episode = next[static_cast<std::size_t>(i)];
      if (episode == starts.size() || starts[episode].step != step) return;
      mjData* data = data_[static_cast<std::size_t>(i)].get();
      mj_resetData(model, data);
      std::copy(starts[episode].qpos.begin(), starts[episode].qpos.end(), data->qpos);
      std::copy(starts[episode].qvel.begin(), starts[episode].qvel.end(), data->qvel);
      mj_forward(model, data);
      ++episode;
    };
    for (int i = begin; i < end; ++i) restart_if_due(0, i);
    for (int step = 0; step < script.steps; ++step) {
      const double* actions = ActionsOf(script, step, row).data();
      for (int i = begin; i < end; ++i) {
        mjData* data = data_[static_cast<std::size_t>(i)].get();
        for (int a = 0; a < model->nu; ++a) {
          data->ctrl[a] = environment_.action_centre()[static_cast<std::size_t>(a)] +
                          environment_.action_half_range()[static_cast<std::size_t>(a)] *
                              actions[i * model->nu + a];
        }
        for (int s = 0; s < environment_.spec().frame_skip; ++s) mj_step(model, data);
        mj_rnePostConstraint(model, data);
        restart_if_due(step + 1, i);
      }
    }
  }

  const Environment& environment_;
  const SteppingBenchmarkOptions& options_;
  std::vector<DataPointer> data_;
};

double RhumbSeconds(Batch& batch, const Script& script) {
  const auto row = static_cast<std::size_t>(batch.count() * batch.environment().action_size());
  const Clock::time_point start = Clock::now();
  batch.Reset();
  for (int step = 0; step < script.steps; ++step) batch.Step(ActionsOf(script, step, row));
  return SecondsSince(start);
}

void RequireSameStates(const Environment& environment, const std::vector<double>& rhumb,
                       const std::vector<double>& bare) {
  if (rhumb != bare) {
    Fail(
        "benchmark of '{}': the bare loop ended in other states than Rhumb, so the two cannot be "
        "compared",
        environment.id());
  }
}

}  // namespace

SteppingBenchmarkResult BenchmarkStepping(const Environment& environment,
                                          const SteppingBenchmarkOptions& options) {
  if (options.environments < options.threads) {
    Fail("{} environments cannot use {} threads", options.environments, options.threads);
  }
  BareLoop bare(environment, options);
  Batch batch(environment,
              {.count = options.environments, .threads = options.threads, .seed = options.seed});

  // Length of a round from a short trial.
  constexpr int kTrialSteps = 50;
  const Script trial = WriteScript(environment, options, kTrialSteps);
  const double trial_seconds = bare.Seconds(trial);
  const int steps = std::clamp(
      static_cast<int>(kTrialSteps * options.seconds_per_round / trial_seconds), 20, 200000);
  const Script script = WriteScript(environment, options, steps);

  std::vector<double> rhumb_speeds, bare_speeds, ratios;
  const double total = static_cast<double>(steps) * options.environments;
  for (int round = -1; round < options.rounds; ++round) {
    const double rhumb_seconds = RhumbSeconds(batch, script);
    const double bare_seconds = bare.Seconds(script);
    if (round < 0) {  // warm-up, and the proof that both do the same work
      RequireSameStates(environment, script.final_qpos, bare.final_qpos());
      continue;
    }
    rhumb_speeds.push_back(total / rhumb_seconds);
    bare_speeds.push_back(total / bare_seconds);
    ratios.push_back(bare_seconds / rhumb_seconds);
  }
  return {.steps_per_round = static_cast<std::int64_t>(total),
          .rhumb_steps_per_second = Median(rhumb_speeds),
          .bare_steps_per_second = Median(bare_speeds),
          .ratio = Median(ratios)};
}

}  // namespace rhumb::sim
