// The subject of a measurement: a model and a dataset.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"

namespace rhumb::cli {

struct EvaluationSubject {
  std::string model;  // a name or folder for FindModel
  std::string data;   // a folder

  // Adds the arguments to a command; the command owns this object.
  void AddTo(CLI::App& command);

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

// Formats a table cell; a missing number becomes "-".
std::string FormatNumber(double value, const char* form = "{:.4f}");

}  // namespace rhumb::cli
