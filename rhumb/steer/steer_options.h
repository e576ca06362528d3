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
  std::string heads = "auto";
  int iterations = 150;
  double primal_step = 0.1;
  bool scale_step = true;
  double dual_step = 0.5;
  double penalty = 3;
  int neighbours = 64;
  double variance = 0.95;
  int refresh = 5;
  double margin = 0.02;
  double confidence = 0;
  double interval = 0.9;
  double max_distance = 1;
  int answers = 1;

  void Visit(core::FieldVisitor& v) {
    v("start", start, core::OneOf{"near", "random"},
      "where steering starts: training codes that match the query best, or any");
    v("starts", starts, core::Range{1, 4096}, "codes that are steered together");
    v("project", project, "move only along directions in which the training codes vary");
    v("candidates", candidates,
      "also consider codes that are not steered: training codes, and rolled out ones with what "
      "they "
      "realised");
    v("heads", heads, core::OneOf{"auto", "grounded", "labels"},
      "which predictions to steer by: fitted to roll-outs or to the teachers' labels; auto: the "
      "first where the model has them");
    v("iterations", iterations, core::Range{0, 1e6}, "steps of each start, at most");
    v("primal_step", primal_step, core::Range{1e-6, 10},
      "of the code, in standard deviations of the returns");
    v("scale_step", scale_step,
      "divide it by the squared slope of the values, so that the scale of the codes does not "
      "matter");
    v("dual_step", dual_step, core::Range{0, 10}, "of the multipliers");
    v("penalty", penalty, core::Range{0, 1e3}, "of the augmented Lagrangian; 0: the plain one");
    v("neighbours", neighbours, core::Range{1, 1e6}, "training codes that span the tangent space");
    v("variance", variance, core::Range{0, 1}, "share of their variance that it holds");
    v("refresh", refresh, core::Range{1, 1e6}, "steps between two looks for the tangent space");
    v("margin", margin, core::Range{0, 10, "standard deviations of the labels"},
      "by which constraints are tightened while steering");
    v("confidence", confidence, core::Range{0, 0.999},
      "that all constraints hold for the mean of as many episodes as the heads were grounded with; "
      "tightens them by the calibrated margin, 0: not");
    v("interval", interval, core::Range{0.5, 0.999}, "share of roll-outs that an interval covers");
    v("max_distance", max_distance, core::Range{0, 1e6, "spacings of the training codes"},
      "from the data, beyond which an answer is refused");
    v("answers", answers, core::Range{1, 100}, "different answers to give, at most");
  }
};

// Presets: "default" measures best. "paper" uses one random start, label heads, 2000 steps and the
// plain Lagrangian, and considers only the steered code. "naive" is "paper" without the
// projection. Throws Error with the known words if `preset` is unknown.
SteerOptions PresetOptions(std::string_view preset);

}  // namespace rhumb::steer
