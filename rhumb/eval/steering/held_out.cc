#include "rhumb/eval/steering/held_out.h"

#include <fmt/ranges.h>

#include <span>
#include <string>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/net/safetensors.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::eval {
namespace {

// The first episode of each held-out policy, in policy order.
std::vector<std::int64_t> FirstEpisodes(const data::DatasetIndex& index) {
  std::vector<std::int64_t> first(index.policies.size(), -1);
  for (std::size_t e = 0; e < index.episodes.size(); ++e) {
    const auto policy = static_cast<std::size_t>(index.episodes[e].policy);
    if (first[policy] < 0 && data::IsPartOf(index.policies[policy].split, "held_out")) {
      first[policy] = static_cast<std::int64_t>(e);
    }
  }
  std::erase(first, -1);
  return first;
}

// [P, C, O + A]
std::vector<float> DrawContexts(const data::Transitions& steps, int context, std::uint64_t seed) {
  std::vector<float> contexts;
  for (std::size_t p = 0; p < steps.episodes.size(); ++p) {
    core::Stream choice(seed, core::Purpose::kContext, steps.episodes[p]);
    for (int i = 0; i < context; ++i) {
      const std::int64_t step =
          steps.starts[p] + choice.Below(static_cast<std::uint32_t>(steps.lengths[p]));
      for (const data::Field field : {data::Field::kObservations, data::Field::kActions}) {
        const std::span<const float> row = steps[field].row(step);
        contexts.insert(contexts.end(), row.begin(), row.end());
      }
    }
  }
  return contexts;
}

std::string NamesOf(const net::ModelDescription& model) {
  std::string names;
  for (const net::ModelObjective& objective : model.objectives) {
    names += (names.empty() ? "" : ",") + objective.name;
  }
  return names;
}

}  // namespace

int WriteHeldOut(const data::Dataset& dataset, const net::Model& model, std::uint64_t seed,
                 const std::filesystem::path& file) {
  const data::DatasetIndex& index = dataset.index();
  const net::ModelDescription& description = model.description;
  // Throws an Error if there is no held-out policy or the dataset does not fit the model.
  const Anchors anchors = AnchorsOf(dataset, "held_out", description);
  const std::vector<std::int64_t> episodes = FirstEpisodes(index);
  RHUMB_CHECK(anchors.size() == episodes.size(), "{} means of {} policies", anchors.size(),
              episodes.size());
  const data::Transitions steps = rollout::LoadContexts(dataset, model, episodes);

  std::vector<double> returns, weights;
  std::vector<std::int64_t> splits, agents, iterations;
  for (std::size_t p = 0; p < episodes.size(); ++p) {
    const data::Policy& policy = index.policies[static_cast<std::size_t>(steps.policies[p])];
    returns.insert(returns.end(), anchors[p].values.begin(), anchors[p].values.end());
    weights.insert(weights.end(), policy.weights.begin(), policy.weights.end());
    splits.push_back(policy.split == data::Split::kHeldOutCheckpoint ? 1 : 2);
    agents.push_back(policy.agent);
    iterations.push_back(policy.iteration);
  }
  const auto count = static_cast<std::int64_t>(episodes.size());
  const std::vector<float> contexts = DrawContexts(steps, description.context, seed);
  net::SafetensorsWriter out;
  out.Add("contexts", {count, description.context, model.observation_size() + model.action_size()},
          contexts);
  out.Add("returns", {count, static_cast<std::int64_t>(description.objectives.size())}, returns);
  out.Add("splits", {count}, splits);
  out.Add("agents", {count}, agents);
  out.Add("iterations", {count}, iterations);
  const std::size_t width = weights.size() / episodes.size();
  if (width > 0 && weights.size() == width * episodes.size()) {
    out.Add("weights", {count, static_cast<std::int64_t>(width)}, weights);
  }
  out.SetMetadata("objectives", NamesOf(description));
  out.SetMetadata("dataset", dataset.artifact().hash());
  core::WriteFileAtomically(file, out.Bytes());
  return static_cast<int>(count);
}

Anchors ReadHeldOut(const std::filesystem::path& file, const net::Model& model,
                    const std::string& split) {
  const net::SafetensorsFile in(file);
  const auto objectives = in.metadata().find("objectives");
  if (objectives == in.metadata().end() || objectives->second != NamesOf(model.description)) {
    Fail("{}: its policies do not have the objectives of the model, {}", file.string(),
         NamesOf(model.description));
  }
  const std::vector<std::int64_t> splits = in.Integers("splits");
  const auto width = model.description.objectives.size();
  const std::vector<double> returns = in.Doubles("returns");
  if (returns.size() != splits.size() * width) {
    Fail("{}: 'returns' has {} numbers; {} policies with {} objectives need {}", file.string(),
         returns.size(), splits.size(), width, splits.size() * width);
  }
  Anchors anchors;
  for (std::size_t p = 0; p < splits.size(); ++p) {
    const data::Split own =
        splits[p] == 1 ? data::Split::kHeldOutCheckpoint : data::Split::kHeldOutWeight;
    if (!data::IsPartOf(own, split)) continue;
    const auto first = returns.begin() + static_cast<std::ptrdiff_t>(p * width);
    anchors.push_back(
        {.values = std::vector<double>(first, first + static_cast<std::ptrdiff_t>(width)),
         .policy = static_cast<std::int64_t>(p),
         .split = std::string(data::NameOf(own))});
  }
  if (anchors.empty()) Fail("{} has no policy of the split '{}'", file.string(), split);
  return anchors;
}

std::vector<float> EncodeHeldOut(const std::filesystem::path& file, const net::Model& model) {
  const net::SafetensorsFile in(file);
  const std::vector<std::int64_t> wanted = {static_cast<std::int64_t>(in.Integers("splits").size()),
                                            model.description.context,
                                            model.observation_size() + model.action_size()};
  if (in.shape("contexts") != wanted) {
    Fail("{}: 'contexts' has the shape [{}]; {} policies of this model need [{}]", file.string(),
         fmt::join(in.shape("contexts"), ", "), wanted[0], fmt::join(wanted, ", "));
  }
  return rollout::EncodeContexts(model, in.Floats("contexts"));
}

}  // namespace rhumb::eval
