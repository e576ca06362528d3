#include "rhumb/data/minari_import.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"
#include "rhumb/data/dataset_writer.h"
#include "rhumb/data/minari_layout.h"
#include "rhumb/data/minari_source.h"
#include "rhumb/data/step_formula.h"

namespace rhumb::data {
namespace {

struct NamedFormula {
  std::string name;
  StepFormula formula;
};

// Empty if the stored vector rewards are used unchanged.
std::vector<NamedFormula> MakeFormulas(const ImportConfig& config, const MinariSource& source) {
  std::vector<NamedFormula> formulas;
  for (const std::string& text : config.objectives) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos) {
      Fail("objective '{}' has no '='; write NAME=EXPRESSION, as in energy=-sum_sq_action", text);
    }
    const std::string name = text.substr(0, equals);
    formulas.push_back({name, StepFormula(text.substr(equals + 1), source.description(),
                                          fmt::format("objective {}", name))});
  }
  if (formulas.empty() && source.description().objectives.empty()) {
    formulas.push_back({"reward", StepFormula("reward", source.description(), "objective reward")});
  }
  return formulas;
}

// Replaces the vector rewards by the formulas' values.
void EvaluateObjectives(const std::vector<NamedFormula>& formulas, const std::string& place,
                        Episode& episode) {
  std::vector<float> rewards;
  rewards.reserve(static_cast<std::size_t>(episode.steps()) * formulas.size());
  for (std::int64_t t = 0; t < episode.steps(); ++t) {
    for (const NamedFormula& objective : formulas) {
      const double value = objective.formula.Evaluate(episode, t);
      if (!std::isfinite(static_cast<float>(value))) {
        Fail("{}: objective {}={} is not finite in step {}", place, objective.name,
             objective.formula.text(), t);
      }
      rewards.push_back(static_cast<float>(value));
    }
  }
  episode.vector_rewards = std::move(rewards);
}

void SumReturns(std::size_t objectives, Episode& episode) {
  episode.returns.assign(objectives, 0);
  for (std::size_t i = 0; i < episode.vector_rewards.size(); ++i) {
    episode.returns[i % objectives] += episode.vector_rewards[i];
  }
}

}  // namespace

ImportReport ImportMinari(const std::filesystem::path& folder, const std::filesystem::path& out,
                          const ImportConfig& config, const core::EnvironmentBundle& environment,
                          const nlohmann::json& manifest_fields) {
  const MinariSource source(folder, config.policy_info);
  const std::vector<NamedFormula> formulas = MakeFormulas(config, source);
  DatasetDescription description = source.description();
  if (environment.has_files()) description.environment = environment;
  if (!formulas.empty()) {
    description.objectives.clear();
    for (const NamedFormula& objective : formulas) {
      description.objectives.push_back({objective.name, ""});
    }
  }

  DatasetWriter writer(out, description, {.min_episode_steps = config.min_episode_steps});
  ImportReport report;
  report.ignored_infos = source.ignored_infos();
  report.objectives = core::NamesOf(description.objectives);
  std::map<std::int64_t, int> policies;  // the source's number -> index here
  Episode episode;
  for (std::int64_t i = 0; i < source.episodes(); ++i) {
    const std::int64_t number = source.ReadEpisode(i, episode).value_or(i);
    if (number < 0 || number > (1 << 30)) {
      Fail("{}: {} belongs to policy {}, expected a number from 0 to {}", folder.string(),
           EpisodeName(i), number, 1 << 30);
    }
    const auto [found, is_new] = policies.try_emplace(number, 0);
    if (is_new) {
      Policy policy;
      policy.agent = static_cast<int>(number);
      found->second = writer.AddPolicy(std::move(policy));
    }
    episode.policy = found->second;
    // Skip episodes that are not finite; the writer counts them.
    if (!formulas.empty() && FindNonFinite(episode).empty()) {
      EvaluateObjectives(formulas, fmt::format("{}: {}", folder.string(), EpisodeName(i)), episode);
    }
    episode.vector_rewards.resize(static_cast<std::size_t>(episode.steps()) *
                                  description.objectives.size());
    SumReturns(description.objectives.size(), episode);
    const DatasetWriter::Outcome outcome = writer.Append(episode);
    if (outcome == DatasetWriter::Outcome::kTooShort) ++report.short_episodes;
    if (outcome == DatasetWriter::Outcome::kUnusable) ++report.unusable_episodes;
  }
  AssignSplits(config.split, writer.policies());
  writer.Commit(manifest_fields);
  return report;
}

}  // namespace rhumb::data
