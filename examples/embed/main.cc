// embed MODEL TARGET [REQUIREMENT…]: steers the model to the query and runs the resulting policy.
//
//   embed cheetah.model 'forward=4500' 'energy>=-500'
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "rhumb/steer/embed.h"

namespace {

using namespace rhumb::steer;

void Print(const std::vector<MapObjective>& objectives, const Answer& answer) {
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    std::printf("  %-12s %10.6g", objectives[k].name.c_str(), answer.predicted[k]);
    if (!answer.interval.empty()) {
      std::printf(" [%.6g, %.6g]", answer.interval[k].low, answer.interval[k].high);
    }
    std::printf(" %s\n", objectives[k].unit.c_str());
  }
}

// A robot would read its sensors here.
void Sense(int step, std::vector<double>& observation) {
  for (std::size_t i = 0; i < observation.size(); ++i) {
    observation[i] = 0.1 * std::sin(0.05 * step + static_cast<double>(i));
  }
}

// Acts for some steps and returns the mean time per step, in microseconds.
double Drive(CodePolicy& policy, std::vector<double>& observation, std::vector<double>& action) {
  constexpr int kSteps = 10000;
  std::chrono::duration<double, std::micro> acting{};
  for (int step = 0; step < kSteps; ++step) {
    Sense(step, observation);
    const auto begin = std::chrono::steady_clock::now();
    const bool acted = policy.Act(observation, action);
    acting += std::chrono::steady_clock::now() - begin;
    if (!acted) std::printf("step %d: a bad observation; the action is the safe one\n", step);
  }
  return acting.count() / kSteps;
}

int Run(const std::string& folder, const TextQuery& query) {
  const BehaviourMap map = BehaviourMap::Load(folder, {.mode = ActionMode::kMean});
  std::printf("%s: %d observations, %d actions\n", map.environment().c_str(),
              map.observation_size(), map.action_size());

  const Result result = map.Steer(query);
  std::printf("%s in %.1f ms\n", std::string(NameOf(result.status)).c_str(), result.solve_ms);
  if (result.status != Status::kSolved) {
    std::printf("%s\n", map.Explain(result).c_str());
    return 3;
  }
  Print(map.objectives(), result.answers.front());

  CodePolicy policy = map.MakePolicy(result.answers.front().code);
  std::vector<double> observation(static_cast<std::size_t>(map.observation_size()));
  std::vector<double> action(static_cast<std::size_t>(map.action_size()));
  const double act_us = Drive(policy, observation, action);
  std::printf("acted in %.1f us a step; the last action is", act_us);
  for (double a : action) std::printf(" %.4f", a);
  std::printf("\n");
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: embed MODEL TARGET [REQUIREMENT...]\n");
    return 2;
  }
  try {
    return Run(words[1], {.target = {words[2]}, .require = {words + 3, words + count}});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
