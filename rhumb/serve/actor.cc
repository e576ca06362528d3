#include "rhumb/serve/actor.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "rhumb/core/math/random.h"
#include "rhumb/net/code_actor.h"

namespace rhumb::serve {
namespace {

class DecodingActor final : public Actor {
 public:
  DecodingActor(std::shared_ptr<const net::Model> model, net::RolloutMode mode, std::uint64_t seed)
      : actor_(std::move(model), mode, seed, 1) {}

  void Begin(const Behaviour& behaviour, std::int64_t episode) override {
    actor_.SetCode(0, behaviour.code, 0, episode);
  }
  bool TurnTo(const Behaviour& behaviour, int blend_steps) override {
    return actor_.BlendTo(0, behaviour.code, blend_steps);
  }
  void Act(std::span<const double> observation, std::span<double> controls) override {
    (void)actor_.Act(observation, controls);  // the centre of the range, if not
  }
  std::span<const float> code() const override { return actor_.code(0); }

 private:
  net::CodeActor actor_;
};

class PolicyActor final : public Actor {
 public:
  PolicyActor(const sim::Environment& environment, net::RolloutMode mode, std::uint64_t seed)
      : environment_(environment),
        sampled_(mode == net::RolloutMode::kSampled),
        seed_(seed),
        means_(static_cast<std::size_t>(environment.action_size())) {}

  void Begin(const Behaviour& behaviour, std::int64_t episode) override {
    episode_ = episode;
    step_ = 0;
    (void)TurnTo(behaviour, 0);
  }

  bool TurnTo(const Behaviour& behaviour, int) override {
    actor_.reset();
    policy_ = behaviour.policy;
    if (policy_) actor_.emplace(*policy_, 1);
    return true;
  }

  void Act(std::span<const double> observation, std::span<double> controls) override {
    std::ranges::copy(environment_.action_centre(), controls.begin());
    if (!policy_) return;
    actor_->Means(observation.data(), 1, means_.data());
    if (sampled_) {
      core::Stream noise(seed_, core::Purpose::kAction, 0, episode_, step_);
      for (std::size_t a = 0; a < means_.size(); ++a) {
        means_[a] += policy_->deviation[a] * static_cast<float>(noise.Normal());
      }
    }
    ++step_;
    const auto is_finite = [](float number) { return std::isfinite(number); };
    if (!std::ranges::all_of(means_, is_finite)) return;
    // As rollout::RecordAction has it.
    for (std::size_t a = 0; a < means_.size(); ++a) {
      controls[a] = static_cast<float>(environment_.action_centre()[a] +
                                       environment_.action_half_range()[a] *
                                           std::clamp<double>(means_[a], -1, 1));
    }
  }

 private:
  const sim::Environment& environment_;
  bool sampled_;
  std::uint64_t seed_;
  std::int64_t episode_ = 0, step_ = 0;
  std::shared_ptr<const net::GaussianPolicy> policy_;
  std::optional<net::PolicyActor> actor_;  // of policy_
  std::vector<float> means_;               // [A]
};

}  // namespace

std::unique_ptr<Actor> MakeCodeActor(std::shared_ptr<const net::Model> model, net::RolloutMode mode,
                                     std::uint64_t seed) {
  return std::make_unique<DecodingActor>(std::move(model), mode, seed);
}

std::unique_ptr<Actor> MakePolicyActor(const sim::Environment& environment, net::RolloutMode mode,
                                       std::uint64_t seed) {
  return std::make_unique<PolicyActor>(environment, mode, seed);
}

}  // namespace rhumb::serve
