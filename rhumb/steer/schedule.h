// A schedule: behaviours one after another, in one episode. One JSON object per line:
//
//   {"step": 0, "target": {"forward": 2000}}
//   {"step": 400, "blend": 20, "target": {"forward": 6000}, "require": ["energy>=-3000"]}
//   {"step": 700, "blend": 50, "code": "slow.json"}
//
// "step" is the first action of the behaviour, and "blend" how many actions the change takes (0 if
// it is missing). The behaviour is a query, or a code: a file as for `rhumb play --code`, relative
// to the schedule's folder, or a list of numbers. The first line has step 0 and no blend.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/steer/answer.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::steer {

constexpr std::size_t kMaxScheduleLines = 10'000;

// One behaviour of a schedule.
struct ScheduledCode {
  std::int64_t step = 0;
  int blend_steps = 0;
  Answer answer;                    // its code, and what the map predicts for a whole episode
  std::vector<Answer> others;       // further answers, if the steerer gives several
  std::string words;                // the query in words, or where the code comes from
  Status status = Status::kSolved;  // of the query; without an answer this is the nearest behaviour
};

// Reads and solves a schedule. Throws Error with the line for anything that is not as above: an
// unknown key, steps that do not ascend, a query that is not valid, a code of another model.
std::vector<ScheduledCode> ReadSchedule(const std::filesystem::path& file, const Steerer& steerer);

// Solves one line; `folder` is where its files are.
ScheduledCode SolveScheduled(const nlohmann::json& line, const std::string& place,
                             const std::filesystem::path& folder, const Steerer& steerer);

}  // namespace rhumb::steer
