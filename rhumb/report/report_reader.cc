#include "rhumb/report/report_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::map<std::string, std::string> kTitles = {
    {"train", "training"},
    {"held_out_checkpoint", "(a) unseen checkpoints"},
    {"held_out_weight", "(b) unseen weights"},
    {"hole", "inside the hole"},
    {"ours.grounded", "ours"},
    {"hole.grounded", "ours"},
    {"vae", "VAE (α = 0)"},
    {"mean_pool", "mean-pool encoder"},
    {"free_projections", "free projections (ζ = 0)"},
    {"infonce", "VAE + InfoNCE"},
    {"autoencoder", "AE + RNC"},
    {"paper", "ours, the paper's settings"}};

}  // namespace

std::string MeasureOf(const std::string& output) {
  const fs::path path(output);
  auto part = path.begin();
  if (part == path.end() || *part != "measures" || ++part == path.end()) return "";
  return part->stem().string();
}

std::vector<json> ResultsOf(const json& report, const std::string& measure) {
  std::vector<json> results;
  for (const json& stage : report.at("stages")) {
    if (MeasureOf(stage.at("output")) == measure) results.push_back(stage.at("result"));
  }
  return results;
}

json ResultAt(const json& report, const std::string& output) {
  for (const json& stage : report.at("stages")) {
    if (stage.at("output") == output) return stage.at("result");
  }
  return nullptr;
}

double NumberAt(const json& document, const std::string& place) {
  const json::json_pointer at(place);
  if (!document.contains(at) || !document[at].is_number()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return document[at].get<double>();
}

std::string Number(const json& document, const std::string& place, int decimals, double factor) {
  const double value = factor * NumberAt(document, place);
  return std::isnan(value) ? kNoNumber : fmt::format("{:.{}f}", value, decimals);
}

std::string Text(const json& document, const std::string& key) {
  return document.contains(key) && document[key].is_string() ? document[key].get<std::string>()
                                                             : kNoNumber;
}

std::vector<json> MethodsOf(const json& document) {
  std::vector<json> methods = {document};
  for (const json& other : document.value("beside", json::array())) methods.push_back(other);
  return methods;
}

json MethodOf(const json& document, const std::string& method) {
  if (!document.is_object()) return nullptr;
  for (const json& own : MethodsOf(document)) {
    if (Text(own, "method") == method) return own;
  }
  return nullptr;
}

std::string ModelOf(const json& document) {
  return fs::path(Text(document, "model")).filename().string();
}

std::string TitleOf(const std::string& name) {
  const auto found = kTitles.find(name);
  return found == kTitles.end() ? name : found->second;
}

}  // namespace rhumb::report
