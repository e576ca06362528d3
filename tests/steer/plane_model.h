// Models whose steering can be computed by hand. The elements of a code are the objectives'
// values, and the training codes form a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/map/code_metric.h"

namespace rhumb::steer {

constexpr int kGridSide = 21;
constexpr double kGridStep = 0.1;
// The standard deviation of 21 numbers from -1 to 1: 0.1 sqrt((21^2 - 1) / 12).
constexpr double kGridStd = 0.605530070819498;

constexpr net::RolloutMode kSampledMode = net::RolloutMode::kSampled;
constexpr double kTolerance = 0.025;  // of a target, by default

inline void AddObjective(const std::string& name, net::Model& model) {
  net::ModelObjective& objective = model.description.objectives.emplace_back();
  objective.name = name;
  objective.unit = "units";
  objective.min = -1;
  objective.max = 1;
}

// code (a, b, c) / scale:  "right" = a + lure * c,  "up" = b;
// training codes: a grid over [-1, 1]^2, c = 0.
//
// With a lure, the steepest direction of "right" leads off the plane, away from all data.
inline net::Model PlaneModel(float lure = 0, float scale = 1) {
  net::Model model;
  model.description.variant = "plane";
  for (const char* name : {"right", "up"}) AddObjective(name, model);
  model.decoder.joint_code = net::Layer(3, 1);  // same size as a code
  model.heads = {2, 3, {1 / scale, 0, lure / scale, 0, 1 / scale, 0}, {0, 0}};
  model.training.code_size = 3;
  model.training.objectives = 2;
  for (int i = 0; i < kGridSide * kGridSide; ++i) {
    const auto a = static_cast<float>(-1 + kGridStep * (i % kGridSide));
    const auto b = static_cast<float>(-1 + kGridStep * (i / kGridSide));
    model.training.codes.insert(model.training.codes.end(), {scale * a, scale * b, 0});
    model.training.values.insert(model.training.values.end(), {a, b});
  }
  return model;
}

// The same, to be grounded for sampled actions. No codes were rolled out yet.
inline net::Model GroundedPlaneModel() {
  net::Model model = PlaneModel();
  net::Grounding grounding;
  grounding.episodes = 4;
  grounding.rolled_out.code_size = 3;
  grounding.rolled_out.objectives = 2;
  model.grounded[static_cast<std::size_t>(net::RolloutMode::kSampled)] = grounding;
  return model;
}

// As if every dimension of a code counted.
inline CodeMetric PlainMetric(int code_size) { return CodeMetric(net::Layer(code_size, 1)); }

// Adds a rolled-out code (right, up, 0) that gave exactly these values in every episode.
inline void RollOut(float right, float up, net::Model& model) {
  net::CodeTable& table =
      model.grounded[static_cast<std::size_t>(net::RolloutMode::kSampled)]->rolled_out;
  table.codes.insert(table.codes.end(), {right, up, 0});
  table.values.insert(table.values.end(), {right, up});
  table.deviations.insert(table.deviations.end(), {0, 0});
}

// Adds the training codes, rolled out.
inline void RollOutGrid(net::Model& model) {
  for (int i = 0; i < model.training.count(); ++i) {
    RollOut(model.training.code(i)[0], model.training.code(i)[1], model);
  }
}

// Rolled out on the grid, with values up to `noise` off without a pattern. The standard deviation
// of that is 0.6 noise, and of single episodes twice as much.
inline net::Model NoisyPlaneModel(float noise) {
  net::Model model = GroundedPlaneModel();
  RollOutGrid(model);
  net::CodeTable& table =
      model.grounded[static_cast<std::size_t>(net::RolloutMode::kSampled)]->rolled_out;
  std::uint32_t drawn = 1;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    drawn = 1664525 * drawn + 1013904223;
    table.values[i] += noise * (static_cast<float>((drawn >> 16) % 21) / 10 - 1);
    table.deviations[i] = 1.2f * noise;
  }
  return model;
}

// code (a, b, c):  "right" = a,  "up" = b,  "far" = 10 + 2 c;
// training codes: a grid over [-1, 1]^3, in steps of 0.2.
inline net::Model SpaceModel() {
  constexpr int kSide = 11;
  net::Model model;
  model.description.variant = "space";
  for (const char* name : {"right", "up", "far"}) AddObjective(name, model);
  net::ModelObjective& far = model.description.objectives.back();
  far.mean = 10;
  far.std = 2;
  far.min = 8;
  far.max = 12;
  model.decoder.joint_code = net::Layer(3, 1);
  model.heads = {3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  model.training.code_size = 3;
  model.training.objectives = 3;
  for (int i = 0; i < kSide * kSide * kSide; ++i) {
    const auto a = static_cast<float>(-1 + 0.2 * (i % kSide));
    const auto b = static_cast<float>(-1 + 0.2 * (i / kSide % kSide));
    const auto c = static_cast<float>(-1 + 0.2 * (i / kSide / kSide));
    model.training.codes.insert(model.training.codes.end(), {a, b, c});
    model.training.values.insert(model.training.values.end(), {a, b, 10 + 2 * c});
  }
  return model;
}

}  // namespace rhumb::steer
