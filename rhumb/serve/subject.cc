#include "rhumb/serve/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/eval/steering/code_choice.h"
#include "rhumb/eval/steering/steer_document.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/serve/base64.h"
#include "rhumb/serve/scene.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/attainable.h"
#include "rhumb/steer/query/query_file.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kKeptSteerers = 6;

std::string LastPart(const std::string& argument) {
  const std::filesystem::path path = std::filesystem::path(argument).lexically_normal();
  const std::string name = path.has_filename() ? path.filename() : path.parent_path().filename();
  return name.empty() || name == "." || name == ".." ? "model" : name;
}

}  // namespace

Subject::Subject(const std::string& name)
    : name_(LastPart(name)),
      argument_(name),
      model_(std::make_shared<const net::Model>(net::ReadModel(zoo::FindModel(name)))),
      environment_(rollout::MakeEnvironment(*model_)),
      main_mode_(steer::MainMode(*model_)) {
  description_ = core::DumpJson(Describe());
  scene_ = core::DumpJson(DescribeScene(environment_));
  for (const net::RolloutMode mode : {net::RolloutMode::kSampled, net::RolloutMode::kMean}) {
    maps_[static_cast<std::size_t>(mode)] = core::DumpJson(DescribeMap(mode));
  }
  SteererFor({main_mode_});
}

bool Subject::HasMode(net::RolloutMode mode) const {
  return model_->grounded[static_cast<std::size_t>(mode)].has_value();
}

std::shared_ptr<const steer::Steerer> Subject::SteererFor(const SteerChoice& choice) const {
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

const net::CodeTable& Subject::KnownCodes(net::RolloutMode mode) const {
  const net::CodeTable* rolled_out = eval::RolledOutCodes(*model_, mode);
  return rolled_out != nullptr ? *rolled_out : model_->training;
}

StagedCode Subject::StageRow(int row, net::RolloutMode mode) const {
  const net::CodeTable& known = KnownCodes(mode);
  if (row < 0 || row >= known.count()) {
    Fail("the map has the codes 0 to {}, not {}", known.count() - 1, row);
  }
  return StageCode(known.code(row), mode, fmt::format("code {} of the map", row));
}

StagedCode Subject::StageCode(std::span<const float> code, net::RolloutMode mode,
                              std::string label) const {
  if (code.size() != static_cast<std::size_t>(model_->code_size())) {
    Fail("a code of {} numbers; the model's codes have {}", code.size(), model_->code_size());
  }
  steer::Answer answer = SteererFor({mode})->Assess(code);
  return {{code.begin(), code.end()},
          std::move(answer.predicted),
          std::move(answer.interval),
          std::move(label)};
}

StagedCode Subject::FirstCode(net::RolloutMode mode) const {
  const steer::Interval range = steer::AttainableRanges(*model_, mode).front();
  const std::string& first = model_->description.objectives.front().name;
  StagedCode staged;
  // Three digits, because the page shows the number.
  const double middle = std::stod(fmt::format("{:.3g}", (range.low + range.high) / 2));
  Steer({{"target", {{first, middle}}}}, {mode}, &staged);
  return staged;
}

json Subject::Steer(const json& document, const SteerChoice& choice, StagedCode* staged) const {
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
    const steer::Answer& best =
        result.answers.empty() ? result.infeasibility->nearest : result.answers.front();
    *staged = {best.code, best.predicted, best.interval, steer::Describe(query)};
  }
  return made;
}

json Subject::Describe() const {
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

json Subject::DescribeMap(net::RolloutMode mode) const {
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
          {"mean", model_->map.mean},
          {"directions", model_->map.directions},
          {"explored", ToBase64(std::span(explored))}};
}

}  // namespace rhumb::serve
