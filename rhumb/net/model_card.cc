#include "rhumb/net/model_card.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "rhumb/core/files/json_file.h"

namespace rhumb::net {
namespace {

using nlohmann::json;

// Text for a table cell: one line, with | escaped.
std::string Cell(const std::string& text) {
  std::string cell;
  for (const char letter : text) {
    if (letter == '|') cell += '\\';
    cell += letter == '\n' ? ' ' : letter;
  }
  return cell;
}

std::string Number(double value) { return fmt::format("{:.6g}", value); }

std::string Show(const json& value) {
  if (value.is_string()) return Cell(value.get<std::string>());
  if (value.is_number_float()) return Number(value.get<double>());
  return Cell(core::DumpJson(value));
}

// Appends one row per leaf of the nested objects, named by its keys joined with dots.
void AppendRows(const json& values, const std::string& prefix, std::string& out) {
  for (const auto& [key, value] : values.items()) {
    if (value.is_object()) {
      AppendRows(value, prefix + key + ".", out);
    } else {
      out += fmt::format("| {} | {} |\n", Cell(prefix + key), Show(value));
    }
  }
}

std::string Table(const json& values, std::string_view nothing) {
  std::string rows;
  AppendRows(values, "", rows);
  if (rows.empty()) return fmt::format("{}\n", nothing);
  return "| | |\n|---|---|\n" + rows;
}

std::string Objectives(const ModelDescription& description) {
  std::string out =
      "| objective | unit | from | to | mean | std | definition |\n|---|---|---|---|---|---|---|\n";
  for (const ModelObjective& objective : description.objectives) {
    const std::string is = objective.expression.empty()
                               ? "return of the environment"
                               : fmt::format("`{}`", Cell(objective.expression));
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", Cell(objective.name),
                       Cell(objective.unit), Number(objective.min), Number(objective.max),
                       Number(objective.mean), Number(objective.std), is);
  }
  return out;
}

std::string Groundings(const Model& model) {
  std::string out;
  for (const RolloutMode mode : kRolloutModeNames.values()) {
    const std::optional<Grounding>& grounding = model.grounded[static_cast<std::size_t>(mode)];
    if (!grounding) continue;
    out += fmt::format("- {} actions: {} codes rolled out, {} episodes each\n", NameOf(mode),
                       grounding->rolled_out.count(), grounding->episodes);
  }
  if (out.empty()) return "The value heads predict the returns of the dataset's policies.\n";
  return "Values are forecast from rollouts of the decoder itself. An interval covers the mean of "
         "as many episodes:\n\n" +
         out;
}

}  // namespace

std::string WriteModelCard(const Model& model) {
  const ModelDescription& description = model.description;
  const std::string limit =
      description.time_limit > 0
          ? fmt::format(", episodes of at most {} steps", description.time_limit)
          : "";
  // Front matter, by which model hubs list and find the folder.
  std::string out =
      "---\nlibrary_name: rhumb\npipeline_tag: reinforcement-learning\nlicense: apache-2.0\n"
      "tags:\n- rhumb\n- reinforcement-learning\n- multi-objective\n- robotics\n---\n\n";
  out += fmt::format(
      "# A map of behaviours for {}\n\n"
      "An encoder turns {} state-action pairs of a policy into a code of {} numbers, a decoder "
      "acts\nas the code says, and value heads predict the returns. So a behaviour can be "
      "requested by its\nreturns. Made with Rhumb, variant `{}`.\n\n",
      description.environment.id, description.context, model.code_size(), description.variant);
  out += fmt::format(
      "## Environment\n\n`{}` with the rewards `{}`{}: {} observations, {} actions. Its files\nare "
      "in `environment/`.\n\n",
      description.environment.id, description.environment.rewards, limit, model.observation_size(),
      model.action_size());
  out += "## Objectives\n\nValues of whole episodes in the training data.\n\n" +
         Objectives(description) + "\n" + Groundings(model) + "\n";
  out += fmt::format(
      "## Map\n\nCodes along the two principal directions of the {} training codes.\n\n"
      "![map](map.png)\n\n",
      model.training.count());
  out += "## How it was made\n\n" + Table(*model.provenance, "Not recorded.") + "\n";
  out += "## What was measured\n\n" + Table(*model.metrics, "Nothing yet.") + "\n";
  const ModelObjective& first = description.objectives.front();
  out += fmt::format(
      "## Use\n\n"
      "    rhumb model show FOLDER\n"
      "    rhumb steer FOLDER --target {}={}\n\n"
      "`model.safetensors` holds the weights as [inputs, outputs]; `model.json` describes them. "
      "Both can\nbe read without Rhumb.\n",
      first.name, fmt::format("{:.3g}", first.mean));
  return out;
}

}  // namespace rhumb::net
