#include "benchmarks/envs/contender.h"
#include "rhumb/core/error.h"
#include "rhumb/sim/batch.h"

namespace rhumb::bench {
namespace {

class RhumbBatch : public Contender {
 public:
  RhumbBatch(const sim::Environment& environment, const sim::BatchOptions& options)
      : batch_(environment, options), seed_(options.seed) {}

  void Run(const Script& script) override {
    RHUMB_CHECK(script.seed == seed_ && script.simulations == batch_.count(), "another script");
    batch_.Reset();
    for (int step = 0; step < script.steps; ++step) batch_.Step(script.ActionsOf(step));
  }

  std::vector<double> States() const override {
    std::vector<double> states;
    for (int i = 0; i < batch_.count(); ++i) {
      states.insert(states.end(), batch_.qpos(i).begin(), batch_.qpos(i).end());
      states.insert(states.end(), batch_.qvel(i).begin(), batch_.qvel(i).end());
    }
    return states;
  }

 private:
  sim::Batch batch_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Contender> MakeRhumbBatch(const sim::Environment& environment, int simulations,
                                          int threads, std::uint64_t seed) {
  return std::make_unique<RhumbBatch>(
      environment, sim::BatchOptions{.count = simulations, .threads = threads, .seed = seed});
}

}  // namespace rhumb::bench
