// Reward scaling and generalised advantage estimation (Schulman et al. 2016). Plain arrays, rows by
// time, then environment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/core/math/running_statistics.h"

namespace rhumb::learn::ppo {

// Divides rewards by the running standard deviation of the discounted return
//   G_t = gamma G_{t-1} + r_t,  G = 0 after an episode has ended.
class RewardScaler {
 public:
  RewardScaler(int environments, double discount);

  // rewards [T, E], ended [T, E]; scales the rewards in place.
  void Apply(std::span<float> rewards, std::span<const std::uint8_t> ended);

  core::RunningStatistics& returns() { return returns_; }
  std::vector<double>& discounted() { return discounted_; }  // [E]

 private:
  double discount_;
  core::RunningStatistics returns_;
  std::vector<double> discounted_;
  std::vector<float> batch_;
};

struct AdvantageInput {
  int steps = 0, environments = 0;
  double discount = 0, lambda = 0;
  std::span<const float> rewards;            // [T, E]
  std::span<const float> values;             // [T, E], V(s_t)
  std::span<const float> next_values;        // [E], V of the state after the last step
  std::span<const float> final_values;       // [T, E], V of an episode's true last state
  std::span<const std::uint8_t> terminated;  // [T, E]
  std::span<const std::uint8_t> truncated;   // [T, E]
};

// delta_t = r_t + gamma V(s_{t+1}) - V(s_t),  A_t = delta_t + gamma lambda A_{t+1}.
// V(s_{t+1}) is 0 after a termination and V of the true last state after a truncation; A_{t+1} is 0
// after either. Writes advantages and returns A_t + V(s_t), both [T, E].
void EstimateAdvantages(const AdvantageInput& input, std::span<float> advantages,
                        std::span<float> returns);

// Replaces A by (A - mean) / (deviation + 1e-8), computed in double over the whole array.
void NormaliseAdvantages(std::span<float> advantages);

}  // namespace rhumb::learn::ppo
