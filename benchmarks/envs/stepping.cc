// Speed of Rhumb's batched stepping, compared with MuJoCo alone.
//
//   bench_stepping [--envs ID,...] [--threads 1,2] [--simulations 16] [--seconds 0.5] [--rounds 7]
//   [--json]
//
// Contenders take turns on the same script, so a slow moment of the machine affects all. After
// every round all must have reached the same states, bit for bit. Speeds and ratios are medians
// over the rounds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "benchmarks/envs/contender.h"
#include "rhumb/core/error.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::bench {
namespace {

using nlohmann::json;

struct Options {
  std::vector<std::string> environments;
  std::vector<int> threads = {1, 2};
  int simulations = 16;
  double seconds = 0.5;
  int rounds = 7;
  std::uint64_t seed = 0;
  bool json = false;
};

double Seconds(Contender& contender, const Script& script) {
  const auto start = std::chrono::steady_clock::now();
  contender.Run(script);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

json Measure(const sim::Environment& environment, int threads, const Options& options) {
  if (options.simulations < threads) {
    Fail("{} simulations cannot use {} threads", options.simulations, threads);
  }
  struct Entry {
    const char* key;
    std::unique_ptr<Contender> contender;
    std::vector<double> speeds = {},
                        ratios = {};  // by round; ratio is Rhumb's speed over this contender's
  };
  const int count = options.simulations;
  Entry entries[] = {
      {"rhumb", MakeRhumbBatch(environment, count, threads, options.seed)},
      {"bare", MakeBareLoop(environment, count, threads, ContactForces::kWhereRead)},
      {"bare_with_forces", MakeBareLoop(environment, count, threads, ContactForces::kAlways)},
  };

  // A short trial determines the length of a round.
  constexpr int kTrialSteps = 50;
  const Script trial = WriteScript(environment, count, kTrialSteps, options.seed);
  const double trial_seconds = Seconds(*entries[1].contender, trial);
  const int steps =
      std::clamp(static_cast<int>(kTrialSteps * options.seconds / trial_seconds), 20, 200'000);
  const Script script = WriteScript(environment, count, steps, options.seed);
  const double total = static_cast<double>(steps) * count;

  for (int round = -1; round < options.rounds; ++round) {
    for (Entry& entry : entries) {
      const double speed = total / Seconds(*entry.contender, script);
      if (entry.contender->States() != entries[0].contender->States()) {
        Fail("'{}': contender {} ended in other states than Rhumb, so it did other work",
             environment.id(), entry.key);
      }
      if (round < 0) continue;  // warm-up
      entry.speeds.push_back(speed);
      entry.ratios.push_back(entries[0].speeds.back() / speed);
    }
  }

  json row = {
      {"id", environment.id()},   {"threads", threads},
      {"simulations", count},     {"steps", total},
      {"rounds", options.rounds}, {"reads_contact_forces", environment.reads_contact_forces()}};
  for (const Entry& entry : entries) {
    row[fmt::format("{}_steps_per_s", entry.key)] = Median(entry.speeds);
    if (&entry != entries) row[fmt::format("ratio_to_{}", entry.key)] = Median(entry.ratios);
  }
  return row;
}

void Run(Options options) {
  if (options.environments.empty()) {
    for (const core::EnvironmentBundle& bundle : sim::ListBundled()) {
      options.environments.push_back(bundle.id);
    }
  }
  if (!options.json) {
    fmt::print("{:20}{:>8}{:>10}{:>10}{:>8}{:>14}{:>8}\n", "environment", "threads", "rhumb/s",
               "bare/s", "ratio", "with forces/s", "ratio");
  }
  json rows = json::array();
  for (const std::string& name : options.environments) {
    const sim::Environment environment(sim::FindBundle(name));
    for (const int threads : options.threads) {
      const json row = Measure(environment, threads, options);
      rows.push_back(row);
      if (options.json) continue;
      fmt::print("{:20}{:>8}{:>10.0f}{:>10.0f}{:>8.3f}{:>14.0f}{:>8.3f}\n", environment.id(),
                 threads, row["rhumb_steps_per_s"].get<double>(),
                 row["bare_steps_per_s"].get<double>(), row["ratio_to_bare"].get<double>(),
                 row["bare_with_forces_steps_per_s"].get<double>(),
                 row["ratio_to_bare_with_forces"].get<double>());
      std::fflush(stdout);
    }
  }
  if (options.json) fmt::print("{}\n", json{{"envs", rows}}.dump(2));
}

}  // namespace
}  // namespace rhumb::bench

int main(int argc, char** argv) {
  rhumb::bench::Options options;
  CLI::App app("Stepping speed of Rhumb beside MuJoCo alone");
  app.add_option("--envs", options.environments, "ids or specs (all)")->delimiter(',');
  app.add_option("--threads", options.threads, "numbers of threads (1,2)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--simulations", options.simulations, "in lock step (16)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--seconds", options.seconds, "length of a round (0.5)")
      ->check(CLI::Range(0.01, 60.0));
  app.add_option("--rounds", options.rounds, "turns of each contender (7)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--seed", options.seed, "of actions and starts (0)");
  app.add_flag("--json", options.json, "one JSON document on stdout");
  CLI11_PARSE(app, argc, argv);
  try {
    rhumb::bench::Run(options);
  } catch (const rhumb::Error& error) {
    fmt::print(stderr, "bench_stepping: {}\n", error.what());
    return 2;
  }
  return 0;
}
