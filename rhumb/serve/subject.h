// What is served: a model with its map (model_subject.h), or the policies of a population
// (population_subject.h), with its robot.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/serve/actor.h"
#include "rhumb/sim/environment.h"

namespace rhumb::serve {

// How a steering request differs from the default.
struct SteerChoice {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  double confidence = 0;
  int answers = 1;
};

// A behaviour that takes over at a step of the episode.
struct ScheduledStage {
  std::int64_t step = 0;
  int blend_steps = 0;
  Behaviour staged;
};

// Thread-safe. What a kind of subject cannot do throws Error.
class Subject {
 public:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  virtual const std::string& name() const = 0;  // without folders
  virtual std::string_view kind() const = 0;    // "model" or "population"
  virtual const net::Model& model() const = 0;  // of a population, only its objectives
  virtual const sim::Environment& environment() const = 0;
  virtual net::RolloutMode main_mode() const = 0;
  virtual bool HasMode(net::RolloutMode mode) const = 0;

  virtual std::unique_ptr<Actor> MakeActor(net::RolloutMode mode, std::uint64_t seed) const = 0;
  // A behaviour to begin with.
  virtual Behaviour First(net::RolloutMode mode) const = 0;
  // A known code by its row, any other code, or a policy.
  virtual Behaviour StageRow(int row, net::RolloutMode mode) const;
  virtual Behaviour StageCode(std::span<const float> code, net::RolloutMode mode,
                              const std::string& label) const;
  virtual Behaviour StagePolicy(int agent, int iteration, net::RolloutMode mode) const;
  // Lines of `rhumb play --schedule`.
  virtual std::vector<ScheduledStage> StageSchedule(std::span<const nlohmann::json> lines,
                                                    net::RolloutMode mode) const;

  // Solves a query of the form {"target", "require", "maximise", "minimise"} and returns the
  // document of `rhumb steer --json`. Sets `staged`, if not null, to the answers, the best first,
  // or to the nearest behaviour. Throws Error for an invalid query.
  virtual nlohmann::json Steer(const nlohmann::json& query, const SteerChoice& choice,
                               std::vector<Behaviour>* staged) const;

  // A JSON text for the page: "" describes the subject, "scene" its robot, "map/sampled" its codes,
  // "policies" those of a population. Nothing if there is no such part. May read files.
  virtual std::optional<std::string> Part(std::string_view part) const = 0;
};

// The last component of a path, or "model".
std::string LastPart(const std::string& path);

}  // namespace rhumb::serve
