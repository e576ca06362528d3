// A served model: what is asked, on which map, with which robot.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rhumb/serve/subject.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::serve {

// Constant except for a cache; thread-safe.
class ModelSubject final : public Subject {
 public:
  // `name` is a folder or a name of the zoo.
  explicit ModelSubject(const std::string& name);

  const std::string& name() const override { return name_; }
  std::string_view kind() const override { return "model"; }
  const net::Model& model() const override { return *model_; }
  const sim::Environment& environment() const override { return environment_; }
  net::RolloutMode main_mode() const override { return main_mode_; }
  bool HasMode(net::RolloutMode mode) const override;

  std::unique_ptr<Actor> MakeActor(net::RolloutMode mode, std::uint64_t seed) const override {
    return MakeCodeActor(model_, mode, seed);
  }
  // In the middle of the map.
  Behaviour First(net::RolloutMode mode) const override;
  // Throws Error if there is no such row, or if the code has another size.
  Behaviour StageRow(int row, net::RolloutMode mode) const override;
  Behaviour StageCode(std::span<const float> code, net::RolloutMode mode,
                      const std::string& label) const override;
  std::vector<ScheduledStage> StageSchedule(std::span<const nlohmann::json> lines,
                                            net::RolloutMode mode) const override;
  nlohmann::json Steer(const nlohmann::json& query, const SteerChoice& choice,
                       std::vector<Behaviour>* staged) const override;
  std::optional<std::string> Part(std::string_view part) const override;

  // The steerer of a choice. The last few are kept; one that is in use stays alive.
  std::shared_ptr<const steer::Steerer> SteererFor(const SteerChoice& choice) const;
  // Known codes: those that were rolled out in this mode, or the training codes.
  const net::CodeTable& KnownCodes(net::RolloutMode mode) const;

 private:
  Behaviour MakeBehaviour(std::span<const float> code, std::vector<double> predicted,
                          std::vector<steer::Interval> interval, std::string label,
                          net::RolloutMode mode) const;
  // Where a code lies among the known ones in the stored layout: between the nearest of them.
  std::vector<float> PlaceOf(std::span<const float> code, net::RolloutMode mode) const;
  nlohmann::json Describe() const;
  nlohmann::json DescribeMap(net::RolloutMode mode) const;

  std::string name_, argument_;
  std::shared_ptr<const net::Model> model_;
  sim::Environment environment_;
  net::RolloutMode main_mode_;
  std::string description_, scene_;
  std::array<std::string, net::kRolloutModeCount> maps_;
  std::array<std::vector<float>, net::kRolloutModeCount> layouts_;  // [N, 2] each, or empty

  using Key = std::tuple<net::RolloutMode, double, int>;
  mutable std::mutex steerers_mutex_;
  mutable std::vector<std::pair<Key, std::shared_ptr<const steer::Steerer>>> steerers_;
};

}  // namespace rhumb::serve
