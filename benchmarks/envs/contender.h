// The contenders of the stepping benchmark.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "benchmarks/envs/stepping_script.h"
#include "rhumb/sim/environment.h"

namespace rhumb::bench {

class Contender {
 public:
  virtual ~Contender() = default;

  // Plays the script from its beginning. This call is timed.
  virtual void Run(const Script& script) = 0;

  // qpos and qvel of every simulation after the last Run.
  virtual std::vector<double> States() const = 0;
};

// rhumb_batch.cc: sim::Batch, with rewards, quantities, observations and divergence checks.
std::unique_ptr<Contender> MakeRhumbBatch(const sim::Environment& environment, int simulations,
                                          int threads, std::uint64_t seed);

// When a bare loop calls mj_rnePostConstraint, which computes contact forces.
enum class ContactForces {
  kWhereRead,  // if the spec reads them: the same MuJoCo calls as Rhumb makes
  kAlways,     // as Gymnasium's v5 environments and EnvPool do
};

// bare_loop.cc: MuJoCo alone.
std::unique_ptr<Contender> MakeBareLoop(const sim::Environment& environment, int simulations,
                                        int threads, ContactForces forces);

}  // namespace rhumb::bench
