// Settings of `rhumb model ground`.
#pragma once

#include "rhumb/core/process/config.h"

namespace rhumb::ground {

struct GroundingConfig {
  int codes = 4000;
  double exploration = 0.5;
  int episodes = 4;

  void Visit(core::FieldVisitor& v) {
    v("codes", codes, core::Range{40, 1e6}, "codes to roll out, in all");
    v("exploration", exploration, core::Range{0, 0.9},
      "share of the codes found by exploration between the policies; the others are codes of "
      "training episodes");
    v("episodes", episodes, core::Range{1, 1000},
      "episodes per code; an interval covers their mean");
  }
};

}  // namespace rhumb::ground
