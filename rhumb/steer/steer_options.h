// The settings of steering and their presets.
#pragma once

#include <string>
#include <string_view>

#include "rhumb/core/process/config.h"

namespace rhumb::steer {

struct SteerOptions {
  std::string start = "near";
  int starts = 8;
  bool project = true;
  bool candidates = true;
  int mixtures = 2;
  std::string heads = "auto";
  int iterations = 150;
  double primal_step = 0.1;
  bool scale_step = true;
  double dual_step = 0.5;
  double penalty = 3;
  int neighbours = 64;
  double variance = 0.95;
  int refresh = 5;
  double margin = 1;
  double confidence = 0;
  double interval = 0.9;
  double max_distance = 1;
  int answers = 1;

  void Visit(core::FieldVisitor& v) {
    v("start", start, core::OneOf{"near", "random"},
      "starting codes: the known codes that match the query best, or random training codes");
    v("starts", starts, core::Range{1, 4096}, "number of codes steered together");
    v("project", project, "move only along directions in which the known codes vary");
    v("candidates", candidates,
      "also consider known codes as answers: those rolled out, or else the training codes");
    v("mixtures", mixtures, core::Range{0, 10},
      "rounds in which the best candidates are mixed with each other");
    v("heads", heads, core::OneOf{"auto", "grounded", "labels"},
      "what predicts the values: the codes that grounding rolled out, or heads fitted to the "
      "policies' labels; auto prefers the former");
    v("iterations", iterations, core::Range{0, 1e6}, "maximum number of steps per start");
    v("primal_step", primal_step, core::Range{1e-6, 10},
      "step size of the code, in standard deviations of the returns");
    v("scale_step", scale_step,
      "divide primal_step by the squared slope of the values, so the codes' scale has no effect");
    v("dual_step", dual_step, core::Range{0, 10}, "step size of the multipliers");
    v("penalty", penalty, core::Range{0, 1e3},
      "penalty of the augmented Lagrangian; 0 gives the plain Lagrangian");
    v("neighbours", neighbours, core::Range{1, 1e6},
      "number of known codes that span the tangent space");
    v("variance", variance, core::Range{0, 1},
      "share of the neighbours' variance that the tangent space holds");
    v("refresh", refresh, core::Range{1, 1e6},
      "steps between two looks for nearer known codes, which forecast and span the tangent space");
    v("margin", margin, core::Range{0, 10, "standard deviations of the forecast"},
      "how far inside its requirements steering aims; it accepts less if it must");
    v("confidence", confidence, core::Range{0, 0.999},
      "probability that all constraints hold for the mean of as many episodes as the model was "
      "grounded with; 0 ignores the forecast's error");
    v("interval", interval, core::Range{0.5, 0.999}, "share of rollouts that an interval covers");
    v("max_distance", max_distance, core::Range{0, 1e6, "spacings of the known codes"},
      "maximum distance of an answer from the known codes");
    v("answers", answers, core::Range{1, 100}, "maximum number of distinct answers");
  }
};

// Presets: "default" measures best. "paper" uses one random start, label heads, 2000 steps and the
// plain Lagrangian, and considers only the steered code. "naive" is "paper" without the
// projection. Throws Error with the known words if `preset` is unknown.
SteerOptions PresetOptions(std::string_view preset);

}  // namespace rhumb::steer
