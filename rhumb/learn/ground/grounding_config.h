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
    v("members", members, core::Range{2, 100}, "networks; each does not see its own fold");
    v("hidden", hidden, core::Range{1, 4096}, "width of their two hidden layers");
    v("steps", steps, core::Range{1, 1e6}, "of AdamW");
    v("batch", batch, core::Range{1, 1e6, "codes"}, "codes per step and network");
    v("learning_rate", learning_rate, core::Range{1e-9, 1}, "at first; falls to 0 along a cosine");
    v("weight_decay", weight_decay, core::Range{0, 1}, "of AdamW");
    v("calibration", calibration, core::Range{0.05, 0.5},
      "share of the codes that no network sees: intervals come from these");
  }
};

struct GroundingConfig {
  int codes = 2000;
  double sampled_codes = 0.5;
  int episodes = 4;
  EnsembleConfig heads;

  void Visit(core::FieldVisitor& v) {
    v("codes", codes, core::Range{40, 1e6}, "to roll out, of training episodes");
    v("sampled_codes", sampled_codes, core::Range{0, 1},
      "share of them that is drawn from the posterior; the others are its means");
    v("episodes", episodes, core::Range{1, 1000},
      "per code; an interval covers the mean of so many");
    v.Group("heads", heads);
  }
};

}  // namespace rhumb::learn::ground
