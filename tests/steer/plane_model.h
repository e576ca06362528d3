// A model whose steering can be computed by hand: the first two numbers of a code are the values of
// its two objectives, and all training codes lie in that plane.
//
//   code (a, b, c):  "right" = a + lure * c,  "up" = b;   training codes: a grid over [-1, 1]^2, c
//   = 0
//
// With a lure the quickest way to more "right" leads off the plane, where nothing is known.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rhumb/net/model.h"

namespace rhumb::steer {

constexpr int kGridSide = 21;
constexpr double kGridStep = 0.1;

inline net::Model PlaneModel(float lure = 0) {
  net::Model model;
  model.description.variant = "plane";
  for (const char* name : {"right", "up"}) {
    net::ModelObjective& objective = model.description.objectives.emplace_back();
    objective.name = name;
    objective.unit = "units";
    objective.min = -1;
    objective.max = 1;
  }
  model.decoder.joint_code = net::Layer(3, 1);  // has the size of a code
  model.heads = {2, 3, {1, 0, lure, 0, 1, 0}, {0, 0}};
  model.training.code_size = 3;
  model.training.objectives = 2;
  for (int i = 0; i < kGridSide * kGridSide; ++i) {
    const auto a = static_cast<float>(-1 + kGridStep * (i % kGridSide));
    const auto b = static_cast<float>(-1 + kGridStep * (i / kGridSide));
    model.training.codes.insert(model.training.codes.end(), {a, b, 0});
    model.training.values.insert(model.training.values.end(), {a, b});
  }
  return model;
}

// The same function as an ensemble of two members that are equal, grounded for sampled actions:
// held-out residuals are the numbers -10 to 10 over 10 times `noise`.
inline net::Model GroundedPlaneModel(float noise) {
  net::Model model = PlaneModel();
  net::Grounding grounding;
  net::HeadEnsemble& heads = grounding.heads;
  heads.code_mean.assign(3, 0);
  heads.code_inverse_scale.assign(3, 1);
  for (int i = 0; i < 2; ++i) {
    net::Mlp& member = heads.members.emplace_back(std::vector<int>{3, 2}, net::Activation::kElu);
    member.SetLayer(0, std::vector<float>{1, 0, 0, 1, 0, 0}, std::vector<float>{0, 0});
  }
  std::vector<float> residuals;
  for (int i = -10; i <= 10; ++i) residuals.push_back(static_cast<float>(i) / 10);
  heads.residuals.assign(2, residuals);
  heads.noise.assign(2, noise);
  heads.episodes = 4;
  grounding.rolled_out.code_size = 3;
  grounding.rolled_out.objectives = 2;
  model.grounded[static_cast<std::size_t>(net::RolloutMode::kSampled)] = grounding;
  return model;
}

}  // namespace rhumb::steer
