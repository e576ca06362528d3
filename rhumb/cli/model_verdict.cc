#include "rhumb/cli/model_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "rhumb/core/math/spread.h"

namespace rhumb::cli {

using nlohmann::json;

std::optional<double> NumberAt(const json& document, const json::json_pointer& place) {
  if (!document.contains(place) || !document[place].is_number()) return std::nullopt;
  return document[place].get<double>();
}

namespace {

// Largest open shares of the variance. At 0.1 a prediction is off by a third of a standard
// deviation.
constexpr double kGood = 0.1, kFair = 0.5, kUseful = 0.8;

Quality QualityOf(double unexplained) {
  if (unexplained <= kGood) return Quality::kGood;
  if (unexplained <= kFair) return Quality::kFair;
  return unexplained <= kUseful ? Quality::kPoor : Quality::kUseless;
}

std::string_view NameOf(Quality quality) {
  constexpr std::string_view kNames[] = {"good", "fair", "poor", "no better than its mean"};
  return kNames[static_cast<std::size_t>(quality)];
}

// The error of the label heads, on held-out policies if there are any.
std::optional<double> LabelError(const net::Model& model, const std::string& objective) {
  const json::json_pointer errors("/head_mse");
  for (const char* split : {"held_out_checkpoint", "train"}) {
    if (const auto error = NumberAt(*model.metrics, errors / split / objective)) return error;
  }
  return std::nullopt;
}

// Variance of what the rolled-out codes realised, in label variances.
double RealisedVariance(const net::Model& model, const net::CodeTable& rolled_out, std::size_t k) {
  std::vector<double> values;
  for (int row = 0; row < rolled_out.count(); ++row) {
    values.push_back(rolled_out.values_of(row)[k]);
  }
  const double ratio = core::SpreadOf(values).std / model.description.objectives[k].std;
  return ratio * ratio;
}

bool IsGrounded(const net::Model& model, net::RolloutMode mode) {
  return model.grounded[static_cast<std::size_t>(mode)].has_value();
}

}  // namespace

std::vector<Verdict> JudgeModel(const net::Model& model, net::RolloutMode mode) {
  const auto& grounding = model.grounded[static_cast<std::size_t>(mode)];
  const json::json_pointer own =
      json::json_pointer("/grounded") / std::string(net::NameOf(mode)) / "objectives";
  std::vector<Verdict> verdicts;
  for (std::size_t k = 0; k < model.description.objectives.size(); ++k) {
    const std::string& name = model.description.objectives[k].name;
    const std::optional<double> of_labels = LabelError(model, name);
    std::optional<double> error = of_labels;
    if (grounding) {
      error = NumberAt(*model.metrics, own / name / "mse");
      const double variance = RealisedVariance(model, grounding->rolled_out, k);
      if (error && variance > 0) *error /= variance;
    }
    if (!error) continue;
    verdicts.push_back({.objective = name,
                        .quality = QualityOf(*error),
                        .unexplained = *error,
                        .grounded = grounding.has_value(),
                        .of_label_heads = of_labels.value_or(-1)});
  }
  return verdicts;
}

std::string Describe(const Verdict& verdict) {
  const double percent = 100 * verdict.unexplained;
  return fmt::format("{}: {}{}, {} % of its variance is open{}", verdict.objective,
                     verdict.quality == Quality::kUseless ? "predicted " : "",
                     NameOf(verdict.quality),
                     fmt::format(fmt::runtime(percent < 100 ? "{:.2g}" : "{:.0f}"), percent),
                     verdict.quality == Quality::kFair ? "; its intervals are wide" : "");
}

std::string Advice(const std::vector<Verdict>& verdicts) {
  const auto worst = std::ranges::max_element(verdicts, {}, &Verdict::unexplained);
  if (worst == verdicts.end() || worst->quality <= Quality::kFair) return "";
  if (!worst->grounded) {
    return "train the population and the model longer, or collect more episodes; see "
           "`rhumb population show`";
  }
  // Good labels and bad rollouts: the decoder, or too few codes.
  if (worst->of_label_heads >= 0 && worst->of_label_heads <= kGood) {
    return "ground more codes (--set codes=N), or train the model longer: its decoder does not "
           "repeat the training policies";
  }
  return "train the population and the model longer, then ground again";
}

std::string FormatVerdict(const net::Model& model) {
  std::string lines;
  const bool is_grounded =
      IsGrounded(model, net::RolloutMode::kSampled) || IsGrounded(model, net::RolloutMode::kMean);
  for (const net::RolloutMode mode : {net::RolloutMode::kSampled, net::RolloutMode::kMean}) {
    if (is_grounded && !IsGrounded(model, mode)) continue;
    const std::vector<Verdict> verdicts = JudgeModel(model, mode);
    if (verdicts.empty()) return "";
    lines += is_grounded ? fmt::format("verdict, {} actions:\n", net::NameOf(mode))
                         : std::string("verdict, on the returns of the training policies:\n");
    for (const Verdict& verdict : verdicts) lines += "  " + Describe(verdict) + "\n";
    if (const std::string advice = Advice(verdicts); !advice.empty()) {
      lines += "  to do: " + advice + "\n";
    }
    if (!is_grounded) break;
  }
  return lines;
}

json VerdictToJson(const net::Model& model) {
  json document = json::object();
  for (const net::RolloutMode mode : {net::RolloutMode::kSampled, net::RolloutMode::kMean}) {
    const bool grounded = IsGrounded(model, mode);
    const std::string key = grounded ? std::string(net::NameOf(mode)) : "labels";
    for (const Verdict& verdict : JudgeModel(model, mode)) {
      document[key][verdict.objective] = {{"quality", NameOf(verdict.quality)},
                                          {"unexplained", verdict.unexplained}};
    }
  }
  return document;
}

}  // namespace rhumb::cli
