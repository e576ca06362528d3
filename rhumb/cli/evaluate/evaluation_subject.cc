#include "rhumb/cli/evaluate/evaluation_subject.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {

void EvaluationSubject::AddTo(CLI::App& command) {
  command.add_option("MODEL", model, "a model's folder, or its name in the zoo")->required();
  command.add_option("--data", data, "the dataset to measure it on")->required();
}

EvaluationSubject::Opened EvaluationSubject::Open() const {
  return {net::ReadModel(zoo::FindModel(model)), data::Dataset::Open(data)};
}

nlohmann::json EvaluationSubject::Document(const net::Model& trained, std::uint64_t seed,
                                           nlohmann::json report) const {
  report["model"] = model;
  report["dataset"] = data;
  report["environment"] = trained.description.environment.id;
  report["variant"] = trained.description.variant;
  report["seed"] = seed;
  return report;
}

std::string FormatNumber(double value, const char* form) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(form), value);
}

}  // namespace rhumb::cli
