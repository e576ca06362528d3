#include "rhumb/steer/embed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/random.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::embed {
namespace {

net::RolloutMode ToRolloutMode(Mode mode) {
  return mode == Mode::kSampled ? net::RolloutMode::kSampled : net::RolloutMode::kMean;
}

Status FromSteering(steer::Status status) {
  switch (status) {
    case steer::Status::kSolved:
      return Status::kSolved;
    case steer::Status::kInfeasible:
      return Status::kInfeasible;
    case steer::Status::kRefused:
      return Status::kRefused;
    case steer::Status::kIterationLimit:
      return Status::kIterationLimit;
  }
  RHUMB_CHECK(false, "status {}", static_cast<int>(status));
}

// The environment's own double behind a number that the model holds as float32: the shortest
// decimal that rounds to it. 0.4f is 0.4000000059604645; the range was 0.4.
double NearestDecimal(float number) {
  std::array<char, 32> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  double decimal = 0;
  std::from_chars(text.data(), end, decimal);
  return decimal;
}

steer::SteerOptions ToSteering(const Options& options) {
  steer::SteerOptions steering = steer::PresetOptions("default");
  steering.confidence = options.confidence;
  steering.answers = options.answers;
  core::CheckRanges(steering, "the map's options");
  return steering;
}

Answer FromSteering(const steer::Answer& answer) {
  Answer copy{answer.code, answer.predicted, {}, answer.distance_to_data};
  for (const steer::Interval& interval : answer.interval) {
    copy.interval.push_back({interval.low, interval.high});
  }
  return copy;
}

std::string Explain(const steer::Diagnosis& diagnosis, const net::ModelDescription& model) {
  std::string text = steer::Describe(diagnosis, model);
  for (const steer::Relaxation& relaxation : diagnosis.relax) {
    text += relaxation.possible
                ? fmt::format("\n{}: {:.6g} would do", relaxation.text, relaxation.needed)
                : fmt::format("\n{}: no other value would do", relaxation.text);
  }
  return text;
}

}  // namespace

std::string_view NameOf(Status status) {
  constexpr std::array<std::string_view, 4> kNames{"solved", "infeasible", "refused",
                                                   "iteration_limit"};
  return kNames.at(static_cast<std::size_t>(status));
}

struct Policy::Parts {
  std::shared_ptr<const net::Model> model;
  bool sampled;
  std::uint64_t seed;
  std::uint64_t step = 0;            // how often it has acted
  std::vector<double> centre;        // [A]
  std::vector<double> half_range;    // [A]
  std::vector<float> prepared;       // the code, as the decoder wants it
  std::vector<float> observation;    // [O], normalised
  std::vector<float> mean;           // [A]
  std::vector<float> log_deviation;  // [A]
  std::vector<float> workspace;
};

Policy::Policy(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Policy::Policy(Policy&& other) noexcept = default;
Policy& Policy::operator=(Policy&& other) noexcept = default;
Policy::~Policy() = default;

bool Policy::Act(std::span<const double> observation, std::span<double> action) noexcept {
  Parts& parts = *parts_;
  std::copy_n(parts.centre.begin(), std::min(parts.centre.size(), action.size()), action.begin());
  const auto finite = [](auto number) { return std::isfinite(number); };
  if (observation.size() != parts.observation.size() || action.size() != parts.centre.size() ||
      !std::all_of(observation.begin(), observation.end(), finite)) {
    return false;
  }
  parts.model->observations.Apply(observation.data(), 1, parts.observation.data());
  const float* prepared = parts.prepared.data();
  parts.model->decoder.Forward(parts.observation.data(), &prepared, 1, parts.mean.data(),
                               parts.log_deviation.data(), parts.workspace);

  // raw = mean + deviation * n, in the mean's place; n is keyed by the step.
  std::vector<float>& raw = parts.mean;
  if (parts.sampled) {
    core::Stream noise(parts.seed, core::Purpose::kAction, 0,
                       static_cast<std::uint32_t>(parts.step >> 32),
                       static_cast<std::uint32_t>(parts.step));
    for (std::size_t a = 0; a < raw.size(); ++a) {
      raw[a] += std::exp(parts.log_deviation[a]) * static_cast<float>(noise.Normal());
    }
  }
  // A code far from all data may overflow the network.
  if (!std::all_of(raw.begin(), raw.end(), finite)) return false;

  // As roll-outs do, rounded to float32.
  for (std::size_t a = 0; a < raw.size(); ++a) {
    const double clipped = std::clamp<double>(raw[a], -1, 1);
    action[a] = static_cast<float>(parts.centre[a] + parts.half_range[a] * clipped);
  }
  ++parts.step;
  return true;
}

struct Map::Parts {
  Parts(std::shared_ptr<const net::Model> loaded, const Options& used)
      : model(std::move(loaded)),
        options(used),
        steerer(*model, ToRolloutMode(used.mode), ToSteering(used)) {
    for (const net::ModelObjective& objective : model->description.objectives) {
      objectives.push_back({objective.name, objective.unit, objective.min, objective.max});
    }
  }

  std::shared_ptr<const net::Model> model;
  Options options;
  std::vector<Objective> objectives;
  steer::Steerer steerer;
};

Map::Map(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

Map Map::Load(const std::filesystem::path& folder, const Options& options) {
  auto model = std::make_shared<const net::Model>(net::ReadModel(folder));
  return Map(std::make_shared<const Parts>(std::move(model), options));
}

Map Map::With(const Options& options) const {
  return Map(std::make_shared<const Parts>(parts_->model, options));
}

const std::string& Map::environment() const { return parts_->model->description.environment.id; }
const Options& Map::options() const { return parts_->options; }
const std::vector<Objective>& Map::objectives() const { return parts_->objectives; }
int Map::observation_size() const { return parts_->model->observation_size(); }
int Map::action_size() const { return parts_->model->action_size(); }
int Map::code_size() const { return parts_->model->code_size(); }

Result Map::Steer(const Query& query) const {
  steer::Query words;
  for (const std::string& text : query.target) words.AddTarget(text);
  for (const std::string& text : query.require) words.AddRequirement(text);
  for (const std::string& text : query.maximise) words.Maximise(text);
  for (const std::string& text : query.minimise) words.Minimise(text);
  const steer::Result solution = parts_->steerer.Solve(words);

  Result result;
  result.status = FromSteering(solution.status);
  result.solve_ms = solution.solve_ms;
  for (const steer::Answer& answer : solution.answers) {
    result.answers.push_back(FromSteering(answer));
  }
  if (const std::optional<steer::Diagnosis>& diagnosis = solution.infeasibility) {
    result.diagnosis = Explain(*diagnosis, parts_->model->description);
    if (!diagnosis->code.empty()) {
      steer::Answer nearest = parts_->steerer.Assess(diagnosis->code);
      nearest.predicted = diagnosis->nearest;
      nearest.interval = diagnosis->interval;
      result.nearest = FromSteering(nearest);
    }
  }
  return result;
}

Policy Map::MakePolicy(std::span<const float> code, std::uint64_t seed) const {
  const net::Model& model = *parts_->model;
  if (code.size() != static_cast<std::size_t>(model.code_size())) {
    Fail("a code of {} numbers; the model's codes have {}", code.size(), model.code_size());
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!std::isfinite(code[i])) Fail("number {} of the code, {}, is not finite", i, code[i]);
  }
  const auto actions = static_cast<std::size_t>(model.action_size());
  auto parts = std::make_unique<Policy::Parts>();
  parts->model = parts_->model;
  parts->sampled = parts_->options.mode == Mode::kSampled;
  parts->seed = seed;
  for (std::size_t a = 0; a < actions; ++a) {
    parts->centre.push_back(NearestDecimal(model.action_centre[a]));
    parts->half_range.push_back(NearestDecimal(model.action_half_range[a]));
  }
  parts->prepared.resize(model.decoder.prepared_size());
  parts->observation.resize(static_cast<std::size_t>(model.observation_size()));
  parts->mean.resize(actions);
  parts->log_deviation.resize(actions);
  parts->workspace.resize(model.decoder.workspace_size(1));
  model.decoder.Prepare(code.data(), parts->prepared.data(), parts->workspace);
  return Policy(std::move(parts));
}

}  // namespace rhumb::embed
