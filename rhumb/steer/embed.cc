#include "rhumb/steer/embed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/code_file.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::steer {
namespace {

net::RolloutMode ToRolloutMode(ActionMode mode) {
  return mode == ActionMode::kSampled ? net::RolloutMode::kSampled : net::RolloutMode::kMean;
}

// Recovers the environment's double from the model's float32: the shortest decimal that rounds to
// it. 0.4f is 0.4000000059604645; the range was 0.4.
double NearestDecimal(float number) {
  std::array<char, 32> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  double decimal = 0;
  std::from_chars(text.data(), end, decimal);
  return decimal;
}

SteerOptions ToSteering(const MapOptions& options) {
  SteerOptions steering = PresetOptions("default");
  steering.confidence = options.confidence;
  steering.answers = options.answers;
  core::CheckRanges(steering, "the map's options");
  return steering;
}

}  // namespace

struct CodePolicy::Parts {
  std::shared_ptr<const net::Model> model;
  bool sampled;
  std::uint64_t seed;
  std::int64_t step = 0;           // number of past actions
  std::vector<double> centre;      // [A]
  std::vector<double> half_range;  // [A]
  std::vector<float> prepared;     // the code, prepared for the decoder
  std::vector<float> observation;  // [O], normalised
  std::vector<float> mean;         // [A]
  std::vector<float> log_std;      // [A]
  std::vector<float> workspace;
};

CodePolicy::CodePolicy(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CodePolicy::CodePolicy(CodePolicy&& other) noexcept = default;
CodePolicy& CodePolicy::operator=(CodePolicy&& other) noexcept = default;
CodePolicy::~CodePolicy() = default;

bool CodePolicy::Act(std::span<const double> observation, std::span<double> action) noexcept {
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
                               parts.log_std.data(), parts.workspace);

  // raw = mean + std * n, stored over the mean; n is keyed by the step.
  std::vector<float>& raw = parts.mean;
  if (parts.sampled) {
    core::Stream noise(parts.seed, core::Purpose::kAction, 0, parts.step >> 32, parts.step);
    for (std::size_t a = 0; a < raw.size(); ++a) {
      raw[a] += std::exp(parts.log_std[a]) * static_cast<float>(noise.Normal());
    }
  }
  // A code far from all data may overflow the network.
  if (!std::all_of(raw.begin(), raw.end(), finite)) return false;

  // Round to float32, as rollouts do.
  for (std::size_t a = 0; a < raw.size(); ++a) {
    const double clipped = std::clamp<double>(raw[a], -1, 1);
    action[a] = static_cast<float>(parts.centre[a] + parts.half_range[a] * clipped);
  }
  ++parts.step;
  return true;
}

struct BehaviourMap::Parts {
  Parts(std::shared_ptr<const net::Model> loaded, const MapOptions& used)
      : model(std::move(loaded)),
        options(used),
        steerer(*model, ToRolloutMode(used.mode), ToSteering(used)) {
    for (const net::ModelObjective& objective : model->description.objectives) {
      objectives.push_back({objective.name, objective.unit, objective.min, objective.max});
    }
  }

  std::shared_ptr<const net::Model> model;
  MapOptions options;
  std::vector<MapObjective> objectives;
  Steerer steerer;
};

BehaviourMap::BehaviourMap(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

BehaviourMap BehaviourMap::Load(const std::filesystem::path& folder, const MapOptions& options) {
  auto model = std::make_shared<const net::Model>(net::ReadModel(folder));
  return BehaviourMap(std::make_shared<const Parts>(std::move(model), options));
}

BehaviourMap BehaviourMap::With(const MapOptions& options) const {
  return BehaviourMap(std::make_shared<const Parts>(parts_->model, options));
}

const std::string& BehaviourMap::environment() const {
  return parts_->model->description.environment.id;
}
const MapOptions& BehaviourMap::options() const { return parts_->options; }
const std::vector<MapObjective>& BehaviourMap::objectives() const { return parts_->objectives; }
int BehaviourMap::observation_size() const { return parts_->model->observation_size(); }
int BehaviourMap::action_size() const { return parts_->model->action_size(); }
int BehaviourMap::code_size() const { return parts_->model->code_size(); }

Result BehaviourMap::Steer(const TextQuery& texts) const {
  Query query;
  for (const std::string& text : texts.target) query.AddTarget(text);
  for (const std::string& text : texts.require) query.AddRequirement(text);
  for (const std::string& text : texts.maximise) query.Maximise(text);
  for (const std::string& text : texts.minimise) query.Minimise(text);
  return parts_->steerer.Solve(query);
}

std::string BehaviourMap::Explain(const Result& result) const {
  if (!result.infeasibility) return "";
  std::string text = Describe(*result.infeasibility, parts_->model->description);
  for (const Relaxation& relaxation : result.infeasibility->relax) {
    text += relaxation.possible
                ? fmt::format("\n{}: {:.6g} would do", relaxation.text, relaxation.needed)
                : fmt::format("\n{}: no other value would do", relaxation.text);
  }
  return text;
}

CodePolicy BehaviourMap::MakePolicy(std::span<const float> code, std::uint64_t seed) const {
  const net::Model& model = *parts_->model;
  if (code.size() != static_cast<std::size_t>(model.code_size())) {
    Fail("a code of {} numbers; the model's codes have {}", code.size(), model.code_size());
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!std::isfinite(code[i])) Fail("number {} of the code, {}, is not finite", i, code[i]);
  }
  const auto actions = static_cast<std::size_t>(model.action_size());
  auto parts = std::make_unique<CodePolicy::Parts>();
  parts->model = parts_->model;
  parts->sampled = parts_->options.mode == ActionMode::kSampled;
  parts->seed = seed;
  for (std::size_t a = 0; a < actions; ++a) {
    parts->centre.push_back(NearestDecimal(model.action_centre[a]));
    parts->half_range.push_back(NearestDecimal(model.action_half_range[a]));
  }
  parts->prepared.resize(model.decoder.prepared_size());
  parts->observation.resize(static_cast<std::size_t>(model.observation_size()));
  parts->mean.resize(actions);
  parts->log_std.resize(actions);
  parts->workspace.resize(model.decoder.workspace_size(1));
  model.decoder.Prepare(code.data(), parts->prepared.data(), parts->workspace);
  return CodePolicy(std::move(parts));
}

CodePolicy BehaviourMap::LoadPolicy(const std::filesystem::path& code_file, int answer,
                                    std::uint64_t seed) const {
  if (answer < 1) Fail("answers are numbered from 1, not {}", answer);
  const StoredCode stored = ReadCode(code_file, *parts_->model, answer);
  CodePolicy policy = MakePolicy(stored.code, seed);
  if (stored.mode) policy.parts_->sampled = stored.mode == net::RolloutMode::kSampled;
  return policy;
}

}  // namespace rhumb::steer
