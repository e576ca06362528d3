// What the behaviours of a schedule did, for `rhumb play --schedule`.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/data/episode.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/schedule.h"

namespace rhumb::cli {

// What one behaviour of a schedule did while it lasted, over all episodes.
struct PlayedSpan {
  std::int64_t steps = 0;
  std::vector<double> sums;  // [environment's objectives]
};

// Adds the episode's rewards to the behaviours that were asked for meanwhile.
void AddSpans(const data::Episode& episode, std::span<const steer::ScheduledCode> schedule,
              std::size_t objectives, std::vector<PlayedSpan>& spans);

nlohmann::json ToJson(const steer::ScheduledCode& one, const PlayedSpan& span,
                      const sim::Environment& environment, const net::Model& model);

// Columns per return of the environment: predicted for a whole episode, and realised at this pace.
std::string FormatSchedule(const nlohmann::json& schedule, const sim::Environment& environment);

}  // namespace rhumb::cli
