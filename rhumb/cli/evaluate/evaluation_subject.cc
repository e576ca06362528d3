#include "rhumb/cli/evaluate/evaluation_subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

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

std::string FormatShare(const std::optional<eval::MeanEstimate>& share, int digits) {
  if (!share || !std::isfinite(share->mean)) return "-";
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", 100 * share->mean, digits, 100 * share->low,
                     digits, 100 * share->high, digits);
}

std::string FormatOrigins(const std::map<std::string, int>& origins) {
  std::vector<std::string> parts;
  for (const auto& [origin, count] : origins) parts.push_back(fmt::format("{} {}", count, origin));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, " + "));
}

std::string FormatComparison(const std::string& share, const std::string& method,
                             const std::string& other, const eval::PairedDifference& pair) {
  return fmt::format("{}, {} minus {}: {:+.2f} ({:+.2f} to {:+.2f}), p = {:.4f}", share, method,
                     other, 100 * pair.difference.mean, 100 * pair.difference.low,
                     100 * pair.difference.high, pair.p);
}

}  // namespace rhumb::cli
