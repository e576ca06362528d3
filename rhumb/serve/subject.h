// A served model: what is asked, on which map, with which robot.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <tuple>

#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::serve {

// A behaviour on its way to the robot. Vectors are per objective, [K].
struct StagedCode {
  std::vector<float> code;  // [H]
  std::vector<double> predicted;
  std::vector<steer::Interval> interval;  // empty if the model is not grounded
  std::string label;
};

// How a steering request differs from the default.
struct SteerChoice {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  double confidence = 0;
  int answers = 1;
};

constexpr int kMaxAnswers = 16;

// Constant except for a cache; thread-safe.
class Subject {
 public:
  // `name` is a folder or a name of the zoo.
  explicit Subject(const std::string& name);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const std::string& name() const { return name_; }  // without folders
  const std::shared_ptr<const net::Model>& shared_model() const { return model_; }
  const net::Model& model() const { return *model_; }
  const sim::Environment& environment() const { return environment_; }
  net::RolloutMode main_mode() const { return main_mode_; }
  bool HasMode(net::RolloutMode mode) const;

  // The steerer of a choice. The last few are kept; one that is in use stays alive.
  std::shared_ptr<const steer::Steerer> SteererFor(const SteerChoice& choice) const;

  // Known codes: those that were rolled out in this mode, or the training codes.
  const net::CodeTable& KnownCodes(net::RolloutMode mode) const;
  // The behaviour of a known code, or of any other. Throws Error if there is no such row, or if
  // the code has another size.
  StagedCode StageRow(int row, net::RolloutMode mode) const;
  StagedCode StageCode(std::span<const float> code, net::RolloutMode mode, std::string label) const;
  // A behaviour in the middle of the map, to begin with.
  StagedCode FirstCode(net::RolloutMode mode) const;

  // Solves a query of the form {"target", "require", "maximise", "minimise"} and returns the
  // document of `rhumb steer --json`. Sets `staged`, if not null, to the best answer, or to the
  // nearest behaviour. Throws Error for an invalid query.
  nlohmann::json Steer(const nlohmann::json& query, const SteerChoice& choice,
                       StagedCode* staged) const;

  // JSON texts for the page, made once.
  const std::string& description() const { return description_; }
  const std::string& scene() const { return scene_; }
  const std::string& map(net::RolloutMode mode) const {
    return maps_[static_cast<std::size_t>(mode)];
  }

 private:
  nlohmann::json Describe() const;
  nlohmann::json DescribeMap(net::RolloutMode mode) const;

  std::string name_, argument_;
  std::shared_ptr<const net::Model> model_;
  sim::Environment environment_;
  net::RolloutMode main_mode_;
  std::string description_, scene_;
  std::array<std::string, net::kRolloutModeCount> maps_;

  using Key = std::tuple<net::RolloutMode, double, int>;
  mutable std::mutex steerers_mutex_;
  mutable std::vector<std::pair<Key, std::shared_ptr<const steer::Steerer>>> steerers_;
};

}  // namespace rhumb::serve
