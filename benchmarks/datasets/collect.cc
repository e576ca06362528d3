// Speed of dataset collection, compared with bare stepping plus inference.
//
//   bench_collect POPULATION THREADS ROUNDS
//
// The peer runs the same policies for the same number of steps with only PolicyActor, mj_step and
// the action noise. It computes no rewards or quantities and writes no file. Rounds alternate; the
// last column is bare / collect.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/rollout/collector.h"
#include "rhumb/sim/environment.h"

namespace rhumb {
namespace {

constexpr int kSimulations = 8;  // in lock step per policy, as in the collector
constexpr int kSteps = 1000;

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void StepBare(const sim::Environment& environment, const net::GaussianPolicy& policy,
              std::uint32_t unit) {
  const mjModel* model = environment.model();
  const auto observation_size = static_cast<std::size_t>(environment.observation_size());
  const auto action_size = static_cast<std::size_t>(environment.action_size());
  net::PolicyActor actor(policy, kSimulations);
  std::vector<sim::DataPointer> data;
  for (int i = 0; i < kSimulations; ++i) {
    data.emplace_back(mj_makeData(model));
    mj_forward(model, data.back().get());
  }
  std::vector<double> observations(kSimulations * observation_size);
  std::vector<float> means(kSimulations * action_size);
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 0; i < kSimulations; ++i) {
      environment.Observe(data[i].get(), /*expressions=*/nullptr,
                          &observations[i * observation_size]);
    }
    actor.Means(observations.data(), kSimulations, means.data());
    for (std::size_t i = 0; i < kSimulations; ++i) {
      core::Stream noise(0, core::Purpose::kAction, unit, static_cast<std::uint32_t>(i),
                         static_cast<std::uint32_t>(step));
      for (std::size_t a = 0; a < action_size; ++a) {
        const double drawn = means[i * action_size + a] + policy.deviation[a] * noise.Normal();
        data[i]->ctrl[a] = environment.action_centre()[a] +
                           environment.action_half_range()[a] * std::clamp(drawn, -1.0, 1.0);
      }
      for (int s = 0; s < environment.spec().frame_skip; ++s) mj_step(model, data[i].get());
    }
  }
}

void Run(const std::string& population, int threads, int rounds) {
  const population::PopulationReader reader(population);
  const sim::Environment environment(reader.description().environment);
  std::vector<net::GaussianPolicy> policies;
  for (std::size_t a = 0; a < reader.description().agents.size(); ++a) {
    const auto file = reader.OpenAgent(a);
    for (const int iteration : reader.description().agents[a].kept_iterations) {
      policies.push_back(reader.ReadPolicy(*file, iteration));
    }
  }
  rollout::CollectRequest request;
  request.population = population;
  request.out = std::filesystem::temp_directory_path() / "rhumb-bench-collect";
  request.job.threads = threads;
  request.job.quiet = true;
  request.config.steps_per_policy = kSimulations * kSteps;
  request.config.selection.skip_iterations = 0;
  request.config.selection.every = 1;
  request.config.selection.stationary_fraction = 0;
  request.config.selection.keep_unstable = true;
  const double steps =
      static_cast<double>(kSimulations) * kSteps * static_cast<double>(policies.size());
  fmt::print("bare steps/s  collect steps/s  ratio\n");
  for (int round = 0; round < rounds; ++round) {
    const double start = Now();
    {
      core::ThreadPool pool(threads);
      pool.ParallelFor(static_cast<std::int64_t>(policies.size()), [&](std::int64_t p, int) {
        StepBare(environment, policies[static_cast<std::size_t>(p)], static_cast<std::uint32_t>(p));
      });
    }
    const double middle = Now();
    std::filesystem::remove_all(request.out);
    rollout::CollectDataset(request);
    const double end = Now();
    fmt::print("{:12.0f}  {:15.0f}  {:5.3f}\n", steps / (middle - start), steps / (end - middle),
               (middle - start) / (end - middle));
    std::fflush(stdout);
  }
  std::filesystem::remove_all(request.out);
}

}  // namespace
}  // namespace rhumb

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "bench_collect POPULATION THREADS ROUNDS\n");
    return 2;
  }
  try {
    rhumb::Run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  } catch (const rhumb::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
