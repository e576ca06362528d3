#include "rhumb/learn/ppo/advantage.h"

#include "rhumb/core/error.h"

namespace rhumb::learn::ppo {

RewardScaler::RewardScaler(int environments, double discount)
    : discount_(discount), returns_(1), discounted_(static_cast<std::size_t>(environments), 0.0) {}

void RewardScaler::Apply(std::span<float> rewards, std::span<const std::uint8_t> ended) {
  RHUMB_CHECK(rewards.size() == ended.size(), "{} rewards, {} ends", rewards.size(), ended.size());
  const std::size_t environments = discounted_.size();
  batch_.resize(rewards.size());
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    double& discounted = discounted_[i % environments];
    discounted = discount_ * discounted + rewards[i];
    batch_[i] = static_cast<float>(discounted);
    if (ended[i]) discounted = 0;
  }
  returns_.AddRows(batch_);
  const auto scale = static_cast<float>(1 / (returns_.std()[0] + 1e-8));
  for (float& reward : rewards) reward *= scale;
}

void EstimateAdvantages(const AdvantageInput& in, std::span<float> advantages,
                        std::span<float> returns) {
  const auto environments = static_cast<std::size_t>(in.environments);
  const std::size_t count = static_cast<std::size_t>(in.steps) * environments;
  RHUMB_CHECK(in.rewards.size() == count && in.values.size() == count &&
                  in.final_values.size() == count && in.terminated.size() == count &&
                  in.truncated.size() == count && in.next_values.size() == environments &&
                  advantages.size() == count && returns.size() == count,
              "arrays do not have {} x {} elements", in.steps, in.environments);
  for (std::size_t e = 0; e < environments; ++e) {
    double next_value = in.next_values[e];
    double next_advantage = 0;
    for (std::size_t t = static_cast<std::size_t>(in.steps); t-- > 0;) {
      const std::size_t i = t * environments + e;
      if (in.terminated[i]) {
        next_value = 0;
      } else if (in.truncated[i]) {
        next_value = in.final_values[i];
      }
      if (in.terminated[i] || in.truncated[i]) next_advantage = 0;
      const double delta = in.rewards[i] + in.discount * next_value - in.values[i];
      next_advantage = delta + in.discount * in.lambda * next_advantage;
      next_value = in.values[i];
      advantages[i] = static_cast<float>(next_advantage);
      returns[i] = static_cast<float>(next_advantage + in.values[i]);
    }
  }
}

void NormaliseAdvantages(std::span<float> advantages) {
  core::RunningStatistics statistics(1);
  statistics.AddRows(advantages);
  const double scale = 1 / (statistics.std()[0] + 1e-8);
  for (float& advantage : advantages) {
    advantage = static_cast<float>((advantage - statistics.mean()[0]) * scale);
  }
}

}  // namespace rhumb::learn::ppo
