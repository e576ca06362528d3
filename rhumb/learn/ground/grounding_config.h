// Settings of `rhumb model ground`. This header is free of torch because the command line describes
// the settings in --help.
#pragma once

#include "rhumb/core/process/config.h"

namespace rhumb::learn::ground {

// Settings for fitting an ensemble of heads.
struct EnsembleConfig {
  int members = 5;
  int hidden = 64;
  int steps = 1000;
  int batch = 256;
  double learning_rate = 8e-3;
  double weight_decay = 0.1;
  double calibration = 0.2;

  void Visit(core::FieldVisitor& v) {
    v("members", members, core::Range{2, 100}, "networks; each is fitted without its own fold");
    v("hidden", hidden, core::Range{1, 4096}, "width of the two hidden layers");
    v("steps", steps, core::Range{1, 1e6}, "steps of AdamW");
    v("batch", batch, core::Range{1, 1e6, "codes"}, "codes per step and network");
    v("learning_rate", learning_rate, core::Range{1e-9, 1},
      "initial learning rate; falls to 0 along a cosine");
    v("weight_decay", weight_decay, core::Range{0, 1}, "weight decay of AdamW");
    v("calibration", calibration, core::Range{0.05, 0.5},
      "share of the codes held back to calibrate the intervals");
  }
};

struct GroundingConfig {
  int codes = 4000;
  double exploration = 0.5;
  int episodes = 4;
  EnsembleConfig heads;

  void Visit(core::FieldVisitor& v) {
    v("codes", codes, core::Range{40, 1e6}, "codes to roll out, in all");
    v("exploration", exploration, core::Range{0, 0.9},
      "share of the codes found by exploration between the policies; the others are codes of "
      "training episodes");
    v("episodes", episodes, core::Range{1, 1000},
      "episodes per code; an interval covers their mean");
    v.Group("heads", heads);
  }
};

}  // namespace rhumb::learn::ground
