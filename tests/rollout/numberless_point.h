// A robot whose objective stops being a number.
#pragma once

#include <string>

#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/environment.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {

// point-v0, but its energy is ln(0.5 - time).
inline sim::Environment NumberlessPoint(const test::ScratchFolder& scratch) {
  const core::EnvironmentBundle point = sim::FindBundle("point-v0");
  std::string spec = point.files.at(point.spec);
  const std::string energy = "\"-sum_sq_action\"";
  for (std::size_t at = 0; (at = spec.find(energy, at)) != spec.npos;) {
    spec.replace(at, energy.size(), "\"ln(0.5 - time)\"");
  }
  scratch.Write("point_mass.xml", point.files.at("point_mass.xml"));
  return sim::Environment(sim::ReadBundle(scratch.Write("point.toml", spec), "two"));
}

}  // namespace rhumb::rollout
