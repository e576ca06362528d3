// Latency of a decoder's action, batch 1 on one thread: normalise, forward, clip, scale.
//
//   bench_decoder MODEL CALLS    prints JSON: the instruction set, p50 and p99 in µs over CALLS
//                                calls, the number of allocations, and the observations, code and
//                                actions
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/net/kernels.h"
#include "rhumb/net/model.h"
#include "tests/support/allocation_count.h"

namespace rhumb {
namespace {

constexpr std::size_t kObservations = 256;  // distinct observations, used in turn
constexpr int kWarmUpCalls = 2000;

// A policy for one code, with all the memory it needs.
class Actor {
 public:
  Actor(const net::Model& model, const float* code)
      : model_(model),
        prepared_(model.decoder.prepared_size()),
        workspace_(model.decoder.workspace_size(1)),
        normalised_(static_cast<std::size_t>(model.observation_size())),
        mean_(static_cast<std::size_t>(model.action_size())),
        log_deviation_(mean_.size()) {
    model.decoder.Prepare(code, prepared_.data(), workspace_);
  }

  // observation [O] -> action [A] in the environment's units.
  void Act(const double* observation, double* action) {
    model_.observations.Apply(observation, 1, normalised_.data());
    const float* prepared = prepared_.data();
    model_.decoder.Forward(normalised_.data(), &prepared, 1, mean_.data(), log_deviation_.data(),
                           workspace_);
    for (std::size_t a = 0; a < mean_.size(); ++a) {
      action[a] = model_.action_centre[a] +
                  model_.action_half_range[a] * double{std::clamp(mean_[a], -1.0f, 1.0f)};
    }
  }

  const std::vector<float>& normalised() const { return normalised_; }
  const std::vector<float>& mean() const { return mean_; }
  const std::vector<float>& log_deviation() const { return log_deviation_; }

 private:
  const net::Model& model_;
  std::vector<float> prepared_, workspace_, normalised_, mean_, log_deviation_;
};

// Draws observations distributed like those in the model's training data.
std::vector<std::vector<double>> DrawObservations(const net::Normaliser& normaliser) {
  core::Stream noise(0, core::Purpose::kBenchmark);
  std::vector<std::vector<double>> observations(kObservations);
  for (std::vector<double>& observation : observations) {
    for (std::size_t i = 0; i < normaliser.mean.size(); ++i) {
      observation.push_back(normaliser.mean[i] + noise.Normal() / normaliser.inverse_scale[i]);
    }
  }
  return observations;
}

void Run(const std::string& folder, int calls) {
  using Clock = std::chrono::steady_clock;
  if (calls < 1) Fail("CALLS is {}, at least 1 is wanted", calls);
  const net::Model model = net::ReadModel(folder);
  const auto observations = DrawObservations(model.observations);
  Actor actor(model, model.training.codes.data());
  std::vector<double> action(static_cast<std::size_t>(model.action_size()));
  std::vector<Clock::duration> times(static_cast<std::size_t>(calls));

  for (std::size_t i = 0; i < kWarmUpCalls; ++i) {
    actor.Act(observations[i % kObservations].data(), action.data());
  }
  const test::AllocationCount allocations;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Clock::time_point start = Clock::now();
    actor.Act(observations[i % kObservations].data(), action.data());
    times[i] = Clock::now() - start;
  }
  const std::size_t allocation_count = allocations.since_construction();

  std::sort(times.begin(), times.end());
  const auto quantile_us = [&](double level) {
    const auto rank = static_cast<std::size_t>(level * static_cast<double>(times.size() - 1));
    return std::chrono::duration<double, std::micro>(times[rank]).count();
  };
  nlohmann::json samples = nlohmann::json::array();
  for (const std::vector<double>& observation : observations) {
    actor.Act(observation.data(), action.data());
    samples.push_back({{"observation", observation},
                       {"normalised", actor.normalised()},
                       {"mean", actor.mean()},
                       {"log_deviation", actor.log_deviation()},
                       {"action", action}});
  }
  const auto code_end = model.training.codes.begin() + model.code_size();
  const nlohmann::json report = {
      {"isa", net::ActiveKernels().name},
      {"p50_us", quantile_us(0.5)},
      {"p99_us", quantile_us(0.99)},
      {"allocations", allocation_count},
      {"code", std::vector<float>(model.training.codes.begin(), code_end)},
      {"samples", samples}};
  fmt::print("{}\n", report.dump());
}

}  // namespace
}  // namespace rhumb

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "bench_decoder MODEL CALLS\n");
    return 2;
  }
  try {
    rhumb::Run(argv[1], std::atoi(argv[2]));
  } catch (const rhumb::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
