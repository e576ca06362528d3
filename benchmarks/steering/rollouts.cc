// Speed of code rollouts, compared with MuJoCo alone.
//
//   bench_rollouts MODEL [ROUNDS]    prints JSON: for 1 and 2 threads the steps per second of
//                                    rollout::RollOutCodes, those of a bare loop over the same
//                                    starts and controls, and the median over ROUNDS (7) of the
//                                    ratio
//
// The bare loop is mj_step and mj_rnePostConstraint, with one mjData per episode; each thread runs
// its share. Both must reach the same last states before anything is timed. They then take turns.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/net/kernels.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/batch.h"

namespace rhumb {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kCodes = 32;  // one episode each
constexpr int kDefaultRounds = 7;
constexpr std::uint64_t kSeed = 0;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// One code's episode: its start, controls and end.
struct Played {
  std::vector<double> qpos, qvel;
  std::vector<float> controls;   // [T, A]
  std::vector<float> last_qpos;  // as recorded
  int steps = 0;
};

// Picks training codes evenly from the table.
std::vector<float> PickCodes(const net::Model& model) {
  const auto size = static_cast<std::size_t>(model.code_size());
  const auto count = static_cast<std::size_t>(model.training.count());
  if (count < kCodes) Fail("the model has {} training codes, {} are wanted", count, kCodes);
  std::vector<float> codes;
  for (std::size_t i = 0; i < kCodes; ++i) {
    const auto begin =
        model.training.codes.begin() + static_cast<std::ptrdiff_t>(i * count / kCodes * size);
    codes.insert(codes.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return codes;
}

std::vector<Played> Record(const sim::Environment& environment, const net::Model& model,
                           const std::vector<float>& codes) {
  std::vector<Played> episodes(kCodes);
  // Rollouts start from the same keyed noise; recordings store it only as float.
  sim::Batch batch(environment, {.count = 1, .restart = false});
  for (std::uint32_t i = 0; i < kCodes; ++i) {
    batch.Start(0, core::Stream(kSeed, core::Purpose::kReset, i, 0, 0));
    episodes[i].qpos.assign(batch.qpos(0).begin(), batch.qpos(0).end());
    episodes[i].qvel.assign(batch.qvel(0).begin(), batch.qvel(0).end());
  }
  rollout::RollOutCodes(environment, model, codes,
                        {.job = {.seed = kSeed, .quiet = true},
                         .on_episode = [&](int code, int, const data::Episode& recorded) {
                           Played& played = episodes[static_cast<std::size_t>(code)];
                           played.steps = static_cast<int>(recorded.steps());
                           played.controls = recorded.actions;
                           played.last_qpos.assign(recorded.qpos.end() - environment.model()->nq,
                                                   recorded.qpos.end());
                         }});
  for (const Played& played : episodes) {
    if (played.steps == 0) Fail("an episode of '{}' diverged", environment.id());
  }
  return episodes;
}

// MuJoCo alone. Allocated once, outside the timed part.
class BareLoop {
 public:
  BareLoop(const sim::Environment& environment, const std::vector<Played>& episodes)
      : environment_(environment), episodes_(episodes) {
    for (std::size_t i = 0; i < episodes.size(); ++i) {
      data_.emplace_back(mj_makeData(environment.model()));
    }
  }

  double Seconds(std::size_t threads) {
    const Clock::time_point begin = Clock::now();
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads; ++t) {
      others.emplace_back([this, t, threads] { Run(t, threads); });
    }
    Run(0, threads);
    for (std::thread& other : others) other.join();
    return SecondsSince(begin);
  }

  void RequireRecordedStates() const {
    for (std::size_t i = 0; i < episodes_.size(); ++i) {
      for (std::size_t q = 0; q < episodes_[i].last_qpos.size(); ++q) {
        if (static_cast<float>(data_[i]->qpos[q]) != episodes_[i].last_qpos[q]) {
          Fail("the bare loop ended in another state than the rollout of code {}", i);
        }
      }
    }
  }

 private:
  void Run(std::size_t thread, std::size_t threads) {
    const mjModel* model = environment_.model();
    for (std::size_t i = thread; i < episodes_.size(); i += threads) {
      const Played& played = episodes_[i];
      mjData* data = data_[i].get();
      mj_resetData(model, data);
      std::copy(played.qpos.begin(), played.qpos.end(), data->qpos);
      std::copy(played.qvel.begin(), played.qvel.end(), data->qvel);
      mj_forward(model, data);
      const float* controls = played.controls.data();
      for (int step = 0; step < played.steps; ++step, controls += model->nu) {
        std::copy_n(controls, model->nu, data->ctrl);
        for (int s = 0; s < environment_.spec().frame_skip; ++s) mj_step(model, data);
        mj_rnePostConstraint(model, data);
      }
    }
  }

  const sim::Environment& environment_;
  const std::vector<Played>& episodes_;
  std::vector<sim::DataPointer> data_;
};

void Run(const std::string& folder, int rounds) {
  const net::Model model = net::ReadModel(folder);
  const sim::Environment environment = rollout::MakeEnvironment(model);
  const std::vector<float> codes = PickCodes(model);
  const std::vector<Played> episodes = Record(environment, model, codes);
  BareLoop bare(environment, episodes);
  bare.Seconds(1);
  bare.RequireRecordedStates();

  double steps = 0;
  for (const Played& played : episodes) steps += played.steps;
  json report = {{"isa", net::ActiveKernels().name}, {"steps", steps}, {"rounds", rounds}};
  for (const int threads : {1, 2}) {
    std::vector<double> ours, peers, ratios;
    for (int round = 0; round < rounds; ++round) {
      const Clock::time_point begin = Clock::now();
      rollout::RollOutCodes(environment, model, codes,
                            {.job = {.seed = kSeed, .threads = threads, .quiet = true}});
      const double our_seconds = SecondsSince(begin);
      const double peer_seconds = bare.Seconds(static_cast<std::size_t>(threads));
      ours.push_back(steps / our_seconds);
      peers.push_back(steps / peer_seconds);
      ratios.push_back(peer_seconds / our_seconds);
    }
    report["threads"].push_back({{"threads", threads},
                                 {"rollout_steps_per_s", Median(ours)},
                                 {"bare_steps_per_s", Median(peers)},
                                 {"ratio", Median(ratios)}});
  }
  fmt::print("{}\n", report.dump(2));
}

int ParseCount(std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1) {
    Fail("ROUNDS is '{}', a number of at least 1 is wanted", text);
  }
  return count;
}

}  // namespace
}  // namespace rhumb

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    fmt::print(stderr, "bench_rollouts MODEL [ROUNDS]\n");
    return 2;
  }
  try {
    rhumb::Run(argv[1], argc == 3 ? rhumb::ParseCount(argv[2]) : rhumb::kDefaultRounds);
  } catch (const rhumb::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
