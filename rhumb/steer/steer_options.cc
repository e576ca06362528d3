#include "rhumb/steer/steer_options.h"

#include "rhumb/core/error.h"

namespace rhumb::steer {

SteerOptions PresetOptions(std::string_view preset) {
  SteerOptions options;
  if (preset == "default") return options;
  if (preset != "paper" && preset != "naive") {
    Fail("unknown preset '{}'; known: default, paper, naive", preset);
  }
  options.start = "random";
  options.starts = 1;
  options.candidates = false;
  options.heads = "labels";
  options.iterations = 2000;
  options.scale_step = false;
  options.dual_step = 0.1;
  options.penalty = 0;
  options.refresh = 1;
  options.margin = 0;
  options.max_distance = 1e6;  // the paper never refuses
  options.project = preset == "paper";
  return options;
}

}  // namespace rhumb::steer
