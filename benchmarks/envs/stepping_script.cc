#include "benchmarks/envs/stepping_script.h"

#include "rhumb/core/math/random.h"
#include "rhumb/sim/batch.h"

namespace rhumb::bench {

Script WriteScript(const sim::Environment& environment, int simulations, int steps,
                   std::uint64_t seed) {
  Script script;
  script.steps = steps;
  script.simulations = simulations;
  script.seed = seed;
  core::Stream noise(seed, core::Purpose::kBenchmark);
  script.actions.resize(static_cast<std::size_t>(steps) * static_cast<std::size_t>(simulations) *
                        static_cast<std::size_t>(environment.action_size()));
  for (double& action : script.actions) action = noise.Uniform(-1, 1);

  sim::Batch batch(environment, {.count = simulations, .seed = seed});
  script.starts.resize(static_cast<std::size_t>(simulations));
  const auto note_start = [&](int step, int i) {
    script.starts[static_cast<std::size_t>(i)].push_back(
        {step,
         {batch.qpos(i).begin(), batch.qpos(i).end()},
         {batch.qvel(i).begin(), batch.qvel(i).end()}});
  };
  batch.Reset();
  for (int i = 0; i < simulations; ++i) note_start(0, i);
  for (int step = 0; step < steps; ++step) {
    batch.Step(script.ActionsOf(step));
    for (int i = 0; i < simulations; ++i) {
      if (batch.outcomes()[static_cast<std::size_t>(i)].ended()) note_start(step + 1, i);
    }
  }
  return script;
}

}  // namespace rhumb::bench
