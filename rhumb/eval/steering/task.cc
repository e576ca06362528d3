#include "rhumb/eval/steering/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/core/text.h"
#include "rhumb/eval/episode_codes.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/query/query_file.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxFileBytes = 1 << 28;

// values [N, K]; row i belongs to policy policies[i]. The anchors have no split yet.
Anchors MeansByPolicy(std::span<const std::int64_t> policies, std::span<const double> values,
                      std::size_t width) {
  std::map<std::int64_t, std::pair<double, std::vector<double>>> sums;  // count and values
  for (std::size_t i = 0; i < policies.size(); ++i) {
    auto& [count, sum] = sums[policies[i]];
    sum.resize(width, 0.0);
    ++count;
    for (std::size_t k = 0; k < width; ++k) sum[k] += values[i * width + k];
  }
  Anchors anchors;
  for (auto& [policy, counted] : sums) {
    auto& [count, sum] = counted;
    for (double& value : sum) value /= count;
    anchors.push_back({.values = std::move(sum), .policy = policy});
  }
  return anchors;
}

// Indices in the model of the objectives that may have requirements.
std::vector<std::size_t> RequirableObjectives(const std::vector<net::ModelObjective>& objectives,
                                              const std::vector<std::string>& over) {
  std::vector<std::string> others;
  for (std::size_t k = 1; k < objectives.size(); ++k) others.push_back(objectives[k].name);
  std::vector<std::size_t> places;
  for (const std::string& name : over.empty() ? others : over) {
    const auto found = std::find(others.begin(), others.end(), name);
    if (found == others.end()) {
      Fail("a requirement cannot be over '{}'; besides the target {} the model has {}{}", name,
           objectives[0].name,
           others.empty() ? "nothing" : fmt::format("{}", fmt::join(others, ", ")),
           core::Suggestion(name, others));
    }
    const auto place = static_cast<std::size_t>(found - others.begin()) + 1;
    if (std::find(places.begin(), places.end(), place) != places.end()) {
      Fail("'over' names '{}' twice", name);
    }
    places.push_back(place);
  }
  return places;
}

std::optional<int> ReadInit(const json& document, const std::string& place, int codes) {
  const auto found = document.find("init");
  if (found == document.end() || found->is_null()) return std::nullopt;
  // As a double, since an integer may exceed the range of every integer type.
  const double number = found->is_number_integer() ? found->get<double>() : -1;
  if (number < 0 || number >= codes) {
    Fail("{}: 'init' is {}; it must be a training code, 0 to {}, or null", place,
         core::InWords(*found), codes - 1);
  }
  return static_cast<int>(number);
}

std::uint64_t ReadSeed(const json& document, const std::string& place) {
  const auto found = document.find("seed");
  if (found == document.end()) return 0;
  if (!found->is_number_unsigned()) {
    Fail("{}: 'seed' is {}; it must be a whole number, at least 0", place, core::InWords(*found));
  }
  return found->get<std::uint64_t>();
}

std::optional<std::int64_t> ReadAnchor(const json& document, const std::string& place) {
  const auto found = document.find("anchor");
  if (found == document.end() || found->is_null()) return std::nullopt;
  if (!found->is_number_unsigned() ||
      found->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    Fail("{}: 'anchor' is {}; it must be the number of a policy, or null", place,
         core::InWords(*found));
  }
  return found->get<std::int64_t>();
}

std::string ReadSplit(const json& document, const std::string& place) {
  const auto found = document.find("split");
  if (found == document.end()) return "";
  std::vector<std::string> known;
  for (const data::Split split : data::kSplits) known.emplace_back(data::NameOf(split));
  if (!found->is_string() ||
      std::find(known.begin(), known.end(), found->get<std::string>()) == known.end()) {
    Fail("{}: 'split' is {}; it must be one of {}", place, core::InWords(*found),
         fmt::join(known, ", "));
  }
  return found->get<std::string>();
}

Task ReadTask(const json& document, const std::string& place, const net::Model& model) {
  Task task;
  task.query = steer::QueryFromJson(document, place, {"init", "seed", "anchor", "split"});
  task.init = ReadInit(document, place, model.training.count());
  task.seed = ReadSeed(document, place);
  task.anchor = ReadAnchor(document, place);
  task.split = ReadSplit(document, place);
  const steer::Query& query = task.query;
  if (query.targets.empty()) {
    Fail("{}: a task needs a target, such as {{\"target\": {{\"{}\": 1}}}}", place,
         model.description.objectives.front().name);
  }
  if (!query.maximise.empty() || !query.minimise.empty() || !query.changes.empty()) {
    Fail(
        "{}: a task has targets and requirements only; maximise, minimise and change have no "
        "defined error",
        place);
  }
  try {
    steer::MakeProblem(query, model, nullptr);
  } catch (const Error& error) {
    Fail("{}: {}", place, error.what());
  }
  return task;
}

}  // namespace

Anchors AnchorsOf(const data::Dataset& dataset, const std::string& split,
                  const net::ModelDescription& model) {
  const data::DatasetIndex& index = dataset.index();
  const std::vector<std::int64_t> episodes = EpisodesIn(dataset, split);
  std::vector<std::int64_t> policies;
  for (const std::int64_t episode : episodes) {
    policies.push_back(index.episodes[static_cast<std::size_t>(episode)].policy);
  }
  Anchors anchors = MeansByPolicy(policies, rollout::LabelEpisodes(model, dataset, episodes),
                                  model.objectives.size());
  for (Anchor& anchor : anchors) {
    const auto policy = static_cast<std::size_t>(*anchor.policy);
    anchor.split = data::NameOf(index.policies[policy].split);
  }
  return anchors;
}

Anchors TrainingAnchors(const net::Model& model) {
  const net::CodeTable& training = model.training;
  std::vector<std::int64_t> policies = training.policies;
  for (int i = static_cast<int>(policies.size()); i < training.count(); ++i) policies.push_back(i);
  Anchors anchors =
      MeansByPolicy(policies, std::vector<double>(training.values.begin(), training.values.end()),
                    static_cast<std::size_t>(training.objectives));
  for (Anchor& anchor : anchors) {
    anchor.split = data::NameOf(data::Split::kTrain);
    if (training.policies.empty()) anchor.policy.reset();
  }
  return anchors;
}

Anchors NearFront(const net::Model& model, const Anchors& anchors, double share) {
  const auto shaping = std::span(model.description.objectives)
                           .first(static_cast<std::size_t>(model.description.shaping_labels));
  if (std::all_of(shaping.begin(), shaping.end(),
                  [](const net::ModelObjective& one) { return !one.expression.empty(); })) {
    Fail("no task can be near the front: no objective of the environment shaped the map");
  }
  Anchors known = TrainingAnchors(model);
  known.insert(known.end(), anchors.begin(), anchors.end());
  // The least lead of `other` over all objectives; attributes have no better or worse.
  const auto lead = [&](const Anchor& other, const Anchor& anchor) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < shaping.size(); ++k) {
      if (!shaping[k].expression.empty()) continue;
      least = std::min(least, (other.values[k] - anchor.values[k]) / shaping[k].std);
    }
    return least;
  };
  std::vector<std::pair<double, std::size_t>> distances;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    double distance = 0;
    for (const Anchor& other : known) distance = std::max(distance, lead(other, anchors[i]));
    distances.emplace_back(distance, i);
  }
  std::sort(distances.begin(), distances.end());
  const auto kept = std::ceil(share * static_cast<double>(anchors.size()));
  distances.resize(std::min(anchors.size(), static_cast<std::size_t>(std::max(1.0, kept))));
  std::sort(distances.begin(), distances.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  Anchors near;
  for (const auto& [distance, i] : distances) near.push_back(anchors[i]);
  return near;
}

std::vector<Task> MakeTasks(const net::Model& model, const Anchors& anchors,
                            const TaskConfig& config, std::uint64_t seed) {
  const std::vector<net::ModelObjective>& objectives = model.description.objectives;
  const std::vector<std::size_t> requirable = RequirableObjectives(objectives, config.over);
  const auto required =
      config.requirements == 0 ? requirable.size() : static_cast<std::size_t>(config.requirements);
  if (required > requirable.size()) {
    Fail("a task cannot have {} requirements; {} objectives can have one", required,
         requirable.size());
  }
  const double least = config.least_target * (objectives[0].max - objectives[0].min);
  Anchors usable;
  std::copy_if(anchors.begin(), anchors.end(), std::back_inserter(usable),
               [&](const Anchor& anchor) { return std::abs(anchor.values[0]) > least; });
  if (usable.empty()) {
    Fail("no task can be made: none of {} policies has a {} beyond +-{:g}, {:g} of its range",
         anchors.size(), objectives[0].name, least, config.least_target);
  }
  if (config.front > 0) usable = NearFront(model, usable, config.front);
  std::vector<Task> tasks;
  for (int i = 0; i < config.count; ++i) {
    core::Stream noise(seed, core::Purpose::kSteering, i, 0, core::stream_key::kTask);
    core::Stream choice(seed, core::Purpose::kSteering, i, 0, core::stream_key::kTaskRequirements);
    std::vector<std::size_t> order = requirable;
    if (!config.over.empty()) core::Shuffle(std::span(order), choice);
    Task& task = tasks.emplace_back();
    task.init = static_cast<int>(noise.Below(static_cast<std::uint32_t>(model.training.count())));
    const Anchor& anchor = usable[noise.Below(static_cast<std::uint32_t>(usable.size()))];
    task.anchor = anchor.policy;
    task.split = anchor.split;
    task.query.AddTarget(objectives[0].name, anchor.values[0]);
    for (const std::size_t k : std::span(order).first(required)) {
      const net::ModelObjective& objective = objectives[k];
      const double slack = config.loosening * noise.Uniform() * objective.std;
      const bool at_most = choice.Below(2) == 1 && !objective.expression.empty();
      if (at_most) {
        task.query.AtMost(objective.name, anchor.values[k] + slack);
      } else {
        task.query.AtLeast(objective.name, anchor.values[k] - slack);
      }
    }
    task.seed = static_cast<std::uint64_t>(i);
  }
  return tasks;
}

std::vector<Task> ReadTasks(const std::filesystem::path& file, const net::Model& model) {
  std::vector<Task> tasks;
  for (const auto& [place, document] : core::ReadJsonLines(file, kMaxFileBytes)) {
    tasks.push_back(ReadTask(document, place, model));
  }
  if (tasks.empty()) {
    Fail(
        "{} has no task; a line is {{\"init\": 0, \"target\": {{…}}, \"require\": […], "
        "\"seed\": 0}}",
        file.string());
  }
  return tasks;
}

json ToJson(const Task& task) {
  json document = steer::ToJson(task.query);
  // A single exact target is written as {quantity: value}. Objects do not keep the order of several
  // targets.
  const std::vector<steer::Target>& targets = task.query.targets;
  if (targets.size() == 1 && targets[0].tolerance == 0) {
    document["target"] = {{targets[0].quantity, targets[0].value}};
  }
  document["init"] = task.init ? json(*task.init) : json(nullptr);
  document["seed"] = task.seed;
  if (task.anchor) document["anchor"] = *task.anchor;
  if (!task.split.empty()) document["split"] = task.split;
  return document;
}

void WriteTasks(const std::filesystem::path& file, std::span<const Task> tasks) {
  std::string lines;
  for (const Task& task : tasks) lines += ToJson(task).dump() + "\n";
  core::WriteFileAtomically(file, lines);
}

}  // namespace rhumb::eval
