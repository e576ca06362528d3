#include "rhumb/rollout/episode_values.h"

#include "rhumb/core/error.h"
#include "rhumb/core/math/expression.h"
#include "rhumb/core/text.h"
#include "rhumb/rollout/episode_recorder.h"

namespace rhumb::rollout {
namespace {

// Index of the environment's objective `name`; throws if it is missing.
std::size_t FindObjective(const sim::Environment& environment, const std::string& name) {
  return core::FindNamed(environment.objectives(), name,
                         fmt::format("'{}' with the rewards '{}' lacks the model's objective '{}'",
                                     environment.id(), environment.rewards(), name));
}

// An attribute in a form that rollouts can compute.
data::Attribute MakeAttribute(const net::ModelObjective& objective,
                              const data::DatasetDescription& recordings) {
  const std::string place = fmt::format("objective '{}' of the model", objective.name);
  data::Attribute attribute(objective.expression, recordings, place);
  const std::string& text = attribute.text();
  const std::size_t open = text.find('(');
  for (const std::string& used :
       core::Expression::NamesIn(text.substr(open + 1, text.size() - open - 2), place)) {
    if (used == "reward") {
      Fail("{}: '{}' needs the scalar reward, and a code has no weights; name the objectives",
           place, text);
    }
  }
  return attribute;
}

}  // namespace

EpisodeValues::EpisodeValues(const sim::Environment& environment, const net::Model& model) {
  const data::DatasetDescription recordings = DescribeRecordings(environment);
  for (const net::ModelObjective& objective : model.description.objectives) {
    Source& source = sources_.emplace_back();
    if (objective.expression.empty()) {
      source.objective = FindObjective(environment, objective.name);
    } else {
      source.attribute.emplace(MakeAttribute(objective, recordings));
    }
  }
}

void EpisodeValues::Compute(const data::Episode& episode, std::span<double> values) {
  RHUMB_CHECK(values.size() == sources_.size(), "{} values of {}", values.size(), sources_.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    Source& source = sources_[k];
    values[k] =
        source.attribute ? source.attribute->Compute(episode) : episode.returns[source.objective];
  }
}

}  // namespace rhumb::rollout
