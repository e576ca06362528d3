// What a measurement is of: a model, on a dataset.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"

namespace rhumb::cli {

struct EvaluationSubject {
  std::string model;  // as FindModel takes it
  std::string data;   // a folder

  // Adds the arguments to a command; the command owns this object.
  void AddTo(CLI::App& command);

  // Both, read.
  struct Opened {
    net::Model model;
    data::Dataset dataset;
  };
  Opened Open() const;

  // A report together with what it is of.
  nlohmann::json Document(const net::Model& trained, std::uint64_t seed,
                          nlohmann::json report) const;
};

// A cell of a table: "-" where there is no number.
std::string FormatNumber(double value, const char* form = "{:.4f}");

}  // namespace rhumb::cli
