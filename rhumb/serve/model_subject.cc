#include "rhumb/serve/model_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/process/log.h"
#include "rhumb/eval/steering/steer_document.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/serve/base64.h"
#include "rhumb/serve/scene.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/attainable.h"
#include "rhumb/steer/query/query_file.h"
#include "rhumb/steer/schedule.h"
#include "rhumb/zoo/code_layout.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kKeptSteerers = 6;
constexpr std::size_t kPlacingCodes = 5;  // known codes that place another

// A damaged layout is worth a warning, and no more: the page has another view.
std::vector<float> StoredLayout(const std::filesystem::path& folder, const net::Model& model,
                                net::RolloutMode mode) {
  try {
    return zoo::ReadLayout(folder, model, mode);
  } catch (const Error& problem) {
    core::LogWarning("{}", problem.what());
    return {};
  }
}

}  // namespace

ModelSubject::ModelSubject(const std::string& name)
    : name_(LastPart(name)),
      argument_(name),
      model_(std::make_shared<const net::Model>(net::ReadModel(zoo::FindModel(name)))),
      environment_(rollout::MakeEnvironment(*model_)),
      main_mode_(steer::MainMode(*model_)) {
  description_ = core::DumpJson(Describe());
  scene_ = core::DumpJson(DescribeScene(environment_));
  for (const net::RolloutMode mode : {net::RolloutMode::kSampled, net::RolloutMode::kMean}) {
    layouts_[static_cast<std::size_t>(mode)] = StoredLayout(zoo::FindModel(name), *model_, mode);
    maps_[static_cast<std::size_t>(mode)] = core::DumpJson(DescribeMap(mode));
  }
  SteererFor({main_mode_});
}

bool ModelSubject::HasMode(net::RolloutMode mode) const {
  return model_->grounded[static_cast<std::size_t>(mode)].has_value();
}

std::shared_ptr<const steer::Steerer> ModelSubject::SteererFor(const SteerChoice& choice) const {
  const Key key{choice.mode, choice.confidence, choice.answers};
  const std::scoped_lock lock(steerers_mutex_);
  const auto found =
      std::ranges::find_if(steerers_, [&](const auto& one) { return one.first == key; });
  if (found != steerers_.end()) {
    std::rotate(steerers_.begin(), found, found + 1);  // the latest first
    return steerers_.front().second;
  }
  steer::SteerOptions options = steer::PresetOptions("default");
  options.confidence = choice.confidence;
  options.answers = choice.answers;
  core::CheckRanges(options, "the request");
  auto made = std::make_shared<const steer::Steerer>(*model_, choice.mode, options);
  if (steerers_.size() == kKeptSteerers) steerers_.pop_back();
  steerers_.insert(steerers_.begin(), {key, made});
  return made;
}

const net::CodeTable& ModelSubject::KnownCodes(net::RolloutMode mode) const {
  return zoo::KnownCodes(*model_, mode);
}

Behaviour ModelSubject::StageRow(int row, net::RolloutMode mode) const {
  const net::CodeTable& known = KnownCodes(mode);
  if (row < 0 || row >= known.count()) {
    Fail("the map has the codes 0 to {}, not {}", known.count() - 1, row);
  }
  return StageCode(known.code(row), mode, fmt::format("code {} of the map", row));
}

Behaviour ModelSubject::StageCode(std::span<const float> code, net::RolloutMode mode,
                                  const std::string& label) const {
  if (code.size() != static_cast<std::size_t>(model_->code_size())) {
    Fail("a code of {} numbers; the model's codes have {}", code.size(), model_->code_size());
  }
  steer::Answer answer = SteererFor({mode})->Assess(code);
  return MakeBehaviour(code, std::move(answer.predicted), std::move(answer.interval), label, mode);
}

Behaviour ModelSubject::First(net::RolloutMode mode) const {
  const steer::Interval range = steer::AttainableRanges(*model_, mode).front();
  const std::string& first = model_->description.objectives.front().name;
  std::vector<Behaviour> staged;
  // Three digits, because the page shows the number.
  const double middle = std::stod(fmt::format("{:.3g}", (range.low + range.high) / 2));
  Steer({{"target", {{first, middle}}}}, {mode}, &staged);
  return std::move(staged.front());
}

json ModelSubject::Steer(const json& document, const SteerChoice& choice,
                         std::vector<Behaviour>* staged) const {
  const steer::Query query = steer::QueryFromJson(document, "the query");
  if (query.empty()) Fail("the query is empty; give it a target, a requirement or a goal");
  if (!query.changes.empty()) Fail("the query: there is no recorded trajectory to change here");
  const auto steerer = SteererFor(choice);
  const steer::Result result = steerer->Solve(query);
  json made = eval::SteerDocument(*model_, query, result, {});
  made["model"] = argument_;
  made["model_hash"] = net::HashOfCodes(*model_);
  made["mode"] = net::NameOf(choice.mode);
  made["heads"] = steerer->grounded() ? "grounded" : "labels";
  made["timing_ms"] = {{"load", 0}, {"solve", result.solve_ms}, {"rollout", 0}};
  if (staged != nullptr) {
    staged->clear();
    const auto stage = [&](const steer::Answer& answer) {
      staged->push_back(MakeBehaviour(answer.code, answer.predicted, answer.interval,
                                      steer::Describe(query), choice.mode));
    };
    std::ranges::for_each(result.answers, stage);
    if (staged->empty()) stage(result.infeasibility->nearest);
  }
  return made;
}

Behaviour ModelSubject::MakeBehaviour(std::span<const float> code, std::vector<double> predicted,
                                      std::vector<steer::Interval> interval, std::string label,
                                      net::RolloutMode mode) const {
  Behaviour behaviour;
  behaviour.code.assign(code.begin(), code.end());
  behaviour.predicted = std::move(predicted);
  behaviour.interval = std::move(interval);
  behaviour.label = std::move(label);
  behaviour.place = PlaceOf(code, mode);
  return behaviour;
}

std::vector<float> ModelSubject::PlaceOf(std::span<const float> code, net::RolloutMode mode) const {
  const std::vector<float>& layout = layouts_[static_cast<std::size_t>(mode)];
  if (layout.empty()) return {};
  const net::CodeTable& known = KnownCodes(mode);
  std::vector<std::pair<double, std::size_t>> nearest;  // squared distance and row
  for (int row = 0; row < known.count(); ++row) {
    double square = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const double difference = static_cast<double>(known.code(row)[i]) - code[i];
      square += difference * difference;
    }
    nearest.emplace_back(square, static_cast<std::size_t>(row));
  }
  const std::size_t count = std::min(kPlacingCodes, nearest.size());
  std::ranges::partial_sort(nearest, nearest.begin() + static_cast<std::ptrdiff_t>(count));
  // A known code has its own place; another lies between its neighbours, nearer to the nearer.
  std::array<double, 2> sums{};
  double whole = 0;
  for (const auto& [square, row] : std::span(nearest).first(count)) {
    const double weight = 1 / std::max(square, 1e-12);
    whole += weight;
    for (std::size_t axis = 0; axis < 2; ++axis) sums[axis] += weight * layout[2 * row + axis];
  }
  return {static_cast<float>(sums[0] / whole), static_cast<float>(sums[1] / whole)};
}

std::vector<ScheduledStage> ModelSubject::StageSchedule(std::span<const json> lines,
                                                        net::RolloutMode mode) const {
  std::vector<ScheduledStage> schedule;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string place = fmt::format("line {} of the schedule", i + 1);
    steer::ScheduledCode made = steer::SolveScheduled(lines[i], place, {}, *SteererFor({mode}));
    if (i == 0 ? made.step != 0 : made.step <= schedule.back().step) {
      Fail("{}: step {}; the steps must ascend from 0", place, made.step);
    }
    schedule.push_back(
        {made.step, made.blend_steps,
         MakeBehaviour(made.answer.code, std::move(made.answer.predicted),
                       std::move(made.answer.interval), std::move(made.words), mode)});
  }
  return schedule;
}

std::optional<std::string> ModelSubject::Part(std::string_view part) const {
  if (part.empty()) return description_;
  if (part == "scene") return scene_;
  for (const net::RolloutMode mode : {net::RolloutMode::kSampled, net::RolloutMode::kMean}) {
    if (part == fmt::format("map/{}", net::NameOf(mode))) {
      return maps_[static_cast<std::size_t>(mode)];
    }
  }
  return std::nullopt;
}

json ModelSubject::Describe() const {
  const net::ModelDescription& description = model_->description;
  json modes = json::array();
  std::vector<std::vector<steer::Interval>> ranges;
  for (const net::RolloutMode mode : {net::RolloutMode::kSampled, net::RolloutMode::kMean}) {
    if (!HasMode(mode) && mode != main_mode_) continue;
    modes.push_back(net::NameOf(mode));
    ranges.push_back(steer::AttainableRanges(*model_, mode));
  }
  json objectives = json::array();
  for (std::size_t k = 0; k < description.objectives.size(); ++k) {
    const net::ModelObjective& objective = description.objectives[k];
    json attainable = json::object();
    for (std::size_t m = 0; m < ranges.size(); ++m) {
      attainable[modes[m].get<std::string>()] = {ranges[m][k].low, ranges[m][k].high};
    }
    objectives.push_back({{"name", objective.name},
                          {"unit", objective.unit},
                          {"expression", objective.expression},
                          {"min", objective.min},
                          {"max", objective.max},
                          {"mean", objective.mean},
                          {"std", objective.std},
                          {"attainable", std::move(attainable)}});
  }
  return {{"name", name_},
          {"kind", kind()},
          {"argument", argument_},
          {"hash", net::HashOfCodes(*model_)},
          {"environment", environment_.id()},
          {"rewards", environment_.rewards()},
          {"title", environment_.spec().title},
          {"variant", description.variant},
          {"modes", std::move(modes)},
          {"main_mode", net::NameOf(main_mode_)},
          {"shaping", description.shaping_labels},
          {"time_limit", environment_.time_limit()},
          {"control_step_s", environment_.control_step()},
          {"code_size", model_->code_size()},
          {"objectives", std::move(objectives)}};
}

json ModelSubject::DescribeMap(net::RolloutMode mode) const {
  const net::CodeTable& known = KnownCodes(mode);
  const auto width = static_cast<std::size_t>(model_->code_size());
  // The place of each code along the two principal directions.
  std::vector<float> places;
  for (int row = 0; row < known.count(); ++row) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      double sum = 0;
      for (std::size_t i = 0; i < width; ++i) {
        sum += static_cast<double>(model_->map.directions[axis * width + i]) *
               (known.code(row)[i] - model_->map.mean[i]);
      }
      places.push_back(static_cast<float>(sum));
    }
  }
  std::vector<std::uint8_t> explored;  // codes between the policies
  for (const std::int64_t policy : known.policies) explored.push_back(policy < 0 ? 1 : 0);
  return {{"mode", net::NameOf(mode)},
          {"rolled_out", &known != &model_->training},
          {"count", known.count()},
          {"objectives", known.objectives},
          {"values", ToBase64(std::span(known.values))},
          {"deviations", ToBase64(std::span(known.deviations))},
          {"places", ToBase64(std::span(places))},
          {"layout", ToBase64(std::span(layouts_[static_cast<std::size_t>(mode)]))},
          {"mean", model_->map.mean},
          {"directions", model_->map.directions},
          {"explored", ToBase64(std::span(explored))}};
}

}  // namespace rhumb::serve
