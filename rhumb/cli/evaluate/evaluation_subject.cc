#include "rhumb/cli/evaluate/evaluation_subject.h"

#include <nlohmann/json.hpp>

#include "rhumb/cli/options.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {

void EvaluationSubject::AddTo(Command& command) {
  AddModel(command, model);
  command.Add("--data", data, "folder of the dataset to measure it on", kRequired);
}

EvaluationSubject::Opened EvaluationSubject::Open() const {
  return {net::ReadModel(zoo::FindModel(model)), data::Dataset::Open(data)};
}

nlohmann::json EvaluationSubject::Document(const net::Model& trained, std::uint64_t seed,
                                           nlohmann::json report) const {
  AddSubject(model, trained, seed, report);
  report["dataset"] = data;
  return report;
}

void AddSubject(const std::string& model, const net::Model& trained, std::uint64_t seed,
                nlohmann::json& report) {
  report["model"] = model;
  report["environment"] = trained.description.environment.id;
  report["variant"] = trained.description.variant;
  report["seed"] = seed;
}

void RolloutOptions::AddTo(Command& command) {
  command.Add("--mode", mode, "how the decoder acts: sampled or mean actions");
  command.Add("--rollouts", rollouts, "episodes that the decoder plays per code");
}

}  // namespace rhumb::cli
