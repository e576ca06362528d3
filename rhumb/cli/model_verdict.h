// A verdict on a model: for each objective, how good its predictions are, and what would help.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/net/model.h"

namespace rhumb::cli {

enum class Quality { kGood, kFair, kPoor, kUseless };

struct Verdict {
  std::string objective;
  Quality quality = Quality::kGood;
  // Share of the variance that the prediction leaves open, on codes that it was not fitted to. 1 is
  // as good as always predicting the mean.
  double unexplained = 0;
  bool grounded = false;       // of forecasts from roll-outs, not of label heads
  double of_label_heads = -1;  // the same share for the labels; negative if unknown
};

// Returns the number at a place in an untrusted document.
std::optional<double> NumberAt(const nlohmann::json& document,
                               const nlohmann::json::json_pointer& place);

// Judges what steering predicts with in this mode. Objectives without a measurement are left out.
std::vector<Verdict> JudgeModel(const net::Model& model, net::RolloutMode mode);

// "forward: good, 1 % of its variance is open".
std::string Describe(const Verdict& verdict);

// What to do about the worst of them; "" if all are good or fair.
std::string Advice(const std::vector<Verdict>& verdicts);

// Lines for every mode that the model is grounded in, or for its labels; "" without measurements.
std::string FormatVerdict(const net::Model& model);

// {mode or "labels": {objective: {"quality", "unexplained"}}}.
nlohmann::json VerdictToJson(const net::Model& model);

}  // namespace rhumb::cli
