// What the measurements share: their subject, which is a model and mostly a dataset, and the words
// of their results.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "rhumb/data/dataset.h"
#include "rhumb/eval/clustered_bootstrap.h"
#include "rhumb/net/model.h"

namespace rhumb::cli {

class Command;

struct EvaluationSubject {
  std::string model;  // a name or folder for FindModel
  std::string data;   // a folder

  // Adds the arguments to a command; the command owns this object.
  void AddTo(Command& command);

  // The opened model and dataset.
  struct Opened {
    net::Model model;
    data::Dataset dataset;
  };
  Opened Open() const;

  // Returns a report with a description of its subject.
  nlohmann::json Document(const net::Model& trained, std::uint64_t seed,
                          nlohmann::json report) const;
};

// Adds the model, its environment and variant, and the seed to a report. `model` is the argument
// that named it.
void AddSubject(const std::string& model, const net::Model& trained, std::uint64_t seed,
                nlohmann::json& report);

// Options of measurements that roll codes out; each stands for the setting of the same name.
struct RolloutOptions {
  std::string mode;  // "" for the setting's value
  int rollouts = 0;  // 0 for the setting's value

  void AddTo(Command& command);

  template <class Config>
  void Override(Config& config) const {
    if (!mode.empty()) config.mode = net::ParseRolloutMode(mode);
    if (rollouts != 0) config.rollouts = rollouts;
  }
};

// "mean (low to high)" in %, or "-" if there is no finite mean.
std::string FormatShare(const std::optional<eval::MeanEstimate>& share, int digits);

// How many codes have each origin: "12 steered + 3 training", or "-".
std::string FormatOrigins(const std::map<std::string, int>& origins);

// "met, default minus still: +1.00 (-0.50 to +2.50), p = 0.2000".
std::string FormatComparison(const std::string& share, const std::string& method,
                             const std::string& other, const eval::PairedDifference& pair);

}  // namespace rhumb::cli
