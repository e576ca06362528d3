// Time of one RepresentationTrainer step, on random data of HalfCheetah's sizes.
//
//   bench_representation_step [epochs [threads [cpu|cuda]]]  ->  one line of JSON
//
// An epoch is ten steps over 640 episodes of 1000 steps, from shuffling to the epoch's record. The
// first epoch is not counted. Dropout is the paper's 0.1, and all other settings are the defaults.
// Labels are two random numbers.
#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "rhumb/learn/device/cuda_library.h"
#include "rhumb/learn/device/malloc_settings.h"
#include "rhumb/learn/representation/representation_trainer.h"

namespace rhumb::learn {
namespace {

constexpr representation::RepresentationShape kShape{.observations = 17, .actions = 6, .labels = 2};
constexpr std::int64_t kEpisodes = 640, kSteps = 1000;

representation::TrainingSet RandomSet(torch::Device device) {
  const std::int64_t rows = kEpisodes * kSteps;
  representation::TrainingSet set;
  set.targets.states = torch::randn({rows, kShape.observations}).to(device);
  set.targets.means = (torch::rand({rows, kShape.actions}) * 2 - 1).to(device);
  set.targets.log_deviations = (torch::randn({rows, kShape.actions}) * 0.1 - 0.5).to(device);
  set.actions = (torch::rand({rows, kShape.actions}) * 2 - 1).to(device);
  set.episodes.starts = (torch::arange(kEpisodes) * kSteps).to(device);
  set.episodes.lengths = torch::full({kEpisodes}, static_cast<float>(kSteps)).to(device);
  set.labels = (1000 * torch::randn({kEpisodes, kShape.labels}, torch::kFloat64)).to(device);
  set.policies.assign(kEpisodes, 0);
  return set;
}

void Measure(int epochs, int threads, bool on_cuda) {
  at::set_num_threads(threads);
  device::KeepFreedMemory();
  if (on_cuda) device::LoadCudaLibrary();  // before torch checks for a device
  torch::manual_seed(1);
  const torch::Device device(on_cuda ? torch::kCUDA : torch::kCPU);
  const representation::TrainingSet set = RandomSet(device);
  representation::RepresentationConfig config;
  config.epochs = epochs + 1;
  config.dropout = 0.1;
  representation::RepresentationTrainer trainer(config, kShape, set, device, /*seed=*/1);
  std::int64_t parameters = 0;
  for (const torch::Tensor& parameter : trainer.network().parameters()) {
    parameters += parameter.numel();
  }
  trainer.RunEpoch();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < epochs; ++i) trainer.RunEpoch();
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begin;
  fmt::print("{{\"ms_per_step\": {:.4f}, \"parameters\": {}}}\n",
             elapsed.count() / static_cast<double>(epochs * trainer.steps_per_epoch()), parameters);
}

}  // namespace
}  // namespace rhumb::learn

int main(int argc, char** argv) {
  const int epochs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  const int threads = argc > 2 ? std::max(1, std::atoi(argv[2])) : 2;
  const bool on_cuda = argc > 3 && std::string_view(argv[3]) == "cuda";
  try {
    rhumb::learn::Measure(epochs, threads, on_cuda);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
