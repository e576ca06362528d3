#include "rhumb/python/vector_environment.h"

#include <algorithm>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::python {

VectorEnvironment::VectorEnvironment(std::shared_ptr<const sim::Environment> environment, int count,
                                     int threads, Autoreset autoreset)
    : environment_(std::move(environment)),
      autoreset_(autoreset),
      batch_(*environment_, {.count = count, .threads = threads, .restart = false}) {
  const auto rows = static_cast<std::size_t>(count);
  seeds_.resize(rows);
  next_episodes_.resize(rows);
  phases_.resize(rows, Phase::kNew);
  active_.reserve(rows);
  rewards_.resize(batch_.rewards().size());
  outcomes_.resize(rows);
  final_observations_.resize(batch_.observations().size());
}

void VectorEnvironment::Seed(int index, std::uint64_t seed) {
  seeds_[static_cast<std::size_t>(index)] = seed;
  next_episodes_[static_cast<std::size_t>(index)] = 0;
}

void VectorEnvironment::Reset(int index) {
  const auto i = static_cast<std::size_t>(index);
  batch_.Start(index, core::Stream(seeds_[i], core::Purpose::kReset, 0, next_episodes_[i]++));
  phases_[i] = Phase::kRunning;
}

void VectorEnvironment::SetState(int index, std::span<const double> qpos,
                                 std::span<const double> qvel) {
  batch_.Start(index, qpos, qvel);
  phases_[static_cast<std::size_t>(index)] = Phase::kRunning;
}

void VectorEnvironment::Step(std::span<const double> actions) {
  active_.clear();
  for (int index = 0; index < count(); ++index) {
    const Phase phase = phases_[static_cast<std::size_t>(index)];
    if (phase == Phase::kNew) Fail("environment {} was never reset; call reset() first", index);
    if (phase == Phase::kRunning) active_.push_back(index);
    if (phase == Phase::kEnded && autoreset_ == Autoreset::kDisabled) {
      Fail("the episode of environment {} has ended; reset it first", index);
    }
  }
  if (!active_.empty()) {
    batch_.SetActive(active_);
    batch_.StepControls(actions);
  }

  any_ended_ = false;
  const std::size_t objectives = rewards_.size() / phases_.size();
  const std::size_t inputs = final_observations_.size() / phases_.size();
  for (int index = 0; index < count(); ++index) {
    const auto i = static_cast<std::size_t>(index);
    if (phases_[i] == Phase::kEnded) {
      Reset(index);
      std::fill_n(rewards_.begin() + static_cast<std::ptrdiff_t>(i * objectives), objectives, 0.0f);
      outcomes_[i] = {};
      continue;
    }
    const std::span<const double> earned = batch_.rewards().subspan(i * objectives, objectives);
    std::transform(earned.begin(), earned.end(),
                   rewards_.begin() + static_cast<std::ptrdiff_t>(i * objectives),
                   [](double reward) { return static_cast<float>(reward); });
    outcomes_[i] = batch_.outcomes()[i];
    if (!outcomes_[i].ended()) continue;
    any_ended_ = true;
    phases_[i] = Phase::kEnded;
    if (autoreset_ != Autoreset::kSameStep) continue;
    const std::span<const double> last = batch_.observation(index);
    std::copy(last.begin(), last.end(),
              final_observations_.begin() + static_cast<std::ptrdiff_t>(i * inputs));
    Reset(index);
  }
}

}  // namespace rhumb::python
