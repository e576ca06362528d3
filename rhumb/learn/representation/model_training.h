// Trains a model: a map of behaviours from a dataset of many policies.
//
//   dataset -> TrainingSet -> RepresentationTrainer -> (DAgger rounds) -> codes, heads, metrics
//           -> model folder
#pragma once

#include <filesystem>

#include "rhumb/core/process/job.h"
#include "rhumb/learn/device/device.h"
#include "rhumb/learn/representation/representation_config.h"

namespace rhumb::learn::representation {

struct ModelRequest {
  std::filesystem::path dataset;
  std::filesystem::path population;
  std::filesystem::path out;
  device::Device device = device::Device::kCpu;
  bool ranks = false;
  RepresentationConfig config;
  core::Job job;

  void Visit(core::FieldVisitor& v) {
    v("dataset", dataset, "folder of the dataset");
    v("population", population, "folder of the dataset's policies, for DAgger; empty: no DAgger");
    v("out", out, "folder of the model");
    v("device", device, device::kDeviceNames, "device that trains the networks");
    v("ranks", ranks, "train together with the other processes that torchrun started");
    v.Group("config", config);
    v.Group("job", job);
  }
};

// Resumes from OUT.work if an earlier call stopped. On the CPU the result depends only on the
// dataset, the settings, the seed and the number of threads. If stopped, the work is saved.
core::Outcome TrainModel(const ModelRequest& request);

}  // namespace rhumb::learn::representation
