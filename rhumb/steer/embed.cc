#include "rhumb/steer/embed.h"

#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/net/code_actor.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/code_file.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::steer {
namespace {

net::RolloutMode ToRolloutMode(ActionMode mode) {
  return mode == ActionMode::kSampled ? net::RolloutMode::kSampled : net::RolloutMode::kMean;
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
  net::CodeActor actor;
};

CodePolicy::CodePolicy(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CodePolicy::CodePolicy(CodePolicy&& other) noexcept = default;
CodePolicy& CodePolicy::operator=(CodePolicy&& other) noexcept = default;
CodePolicy::~CodePolicy() = default;

bool CodePolicy::Act(std::span<const double> observation, std::span<double> action) noexcept {
  return parts_->actor.Act(observation, action);
}

bool CodePolicy::SetCode(std::span<const float> code, int blend_steps) noexcept {
  return parts_->actor.BlendTo(0, code, blend_steps);
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
  return MakePolicy(code, parts_->options.mode, seed);
}

CodePolicy BehaviourMap::MakePolicy(std::span<const float> code, ActionMode mode,
                                    std::uint64_t seed) const {
  net::CodeActor actor(parts_->model, ToRolloutMode(mode), seed, 1);
  actor.SetCode(0, code);
  return CodePolicy(std::make_unique<CodePolicy::Parts>(CodePolicy::Parts{std::move(actor)}));
}

CodePolicy BehaviourMap::LoadPolicy(const std::filesystem::path& code_file, int answer,
                                    std::uint64_t seed) const {
  if (answer < 1) Fail("answers are numbered from 1, not {}", answer);
  const StoredCode stored = ReadCode(code_file, *parts_->model, answer);
  const net::RolloutMode mode = stored.mode.value_or(ToRolloutMode(parts_->options.mode));
  return MakePolicy(stored.code,
                    mode == net::RolloutMode::kSampled ? ActionMode::kSampled : ActionMode::kMean,
                    seed);
}

}  // namespace rhumb::steer
