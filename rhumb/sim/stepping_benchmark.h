// How fast a Batch steps, beside MuJoCo alone.
//
// The peer is a bare loop of mj_step and mj_rnePostConstraint over the same states, actions and
// resets, one mjData per environment, each thread running its share freely with no barrier. Both
// must end in the same states to the bit before anything is timed. Rounds alternate, so that a slow
// moment of the machine hits both; the ratio is the median over rounds.
#pragma once

#include <cstdint>

#include "rhumb/sim/environment.h"

namespace rhumb::sim {

struct SteppingBenchmarkOptions {
  int environments = 16;  // in lock step
  int threads = 1;
  double seconds_per_round = 0.5;
  int rounds = 7;
  std::uint64_t seed = 0;
};

struct SteppingBenchmarkResult {
  std::int64_t steps_per_round = 0;   // environment steps, all environments together
  double rhumb_steps_per_second = 0;  // median over rounds
  double bare_steps_per_second = 0;
  double ratio = 0;  // median over rounds of rhumb / bare
};

SteppingBenchmarkResult BenchmarkStepping(const Environment& environment,
                                          const SteppingBenchmarkOptions& options);

}  // namespace rhumb::sim
