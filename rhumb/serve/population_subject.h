// A served population: the policies of its agents, while it trains and when it is finished.
#pragma once

#include <memory>
#include <string>

#include "rhumb/population/population_progress.h"
#include "rhumb/serve/subject.h"

namespace rhumb::serve {

class PopulationSubject final : public Subject {
 public:
  // `folder` is OUT or OUT.work of `rhumb population train`.
  explicit PopulationSubject(const std::string& folder);

  const std::string& name() const override { return name_; }
  std::string_view kind() const override { return "population"; }
  const net::Model& model() const override { return model_; }
  const sim::Environment& environment() const override { return environment_; }
  net::RolloutMode main_mode() const override { return net::RolloutMode::kSampled; }
  bool HasMode(net::RolloutMode) const override { return true; }

  std::unique_ptr<Actor> MakeActor(net::RolloutMode mode, std::uint64_t seed) const override {
    return MakePolicyActor(environment_, mode, seed);
  }
  // The newest policy of the first agent that has one; nobody acts while there is none.
  Behaviour First(net::RolloutMode mode) const override;
  Behaviour StagePolicy(int agent, int iteration, net::RolloutMode mode) const override;
  std::optional<std::string> Part(std::string_view part) const override;

 private:
  nlohmann::json Describe() const;
  nlohmann::json ListPolicies() const;

  population::PopulationProgress progress_;
  std::string name_, argument_;
  sim::Environment environment_;
  net::Model model_;  // only its objectives
  std::string description_, scene_;
};

}  // namespace rhumb::serve
