#include "rhumb/eval/steering/schedule_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "rhumb/core/math/random.h"
#include "rhumb/net/code_blend.h"
#include "rhumb/rollout/takeover.h"

namespace rhumb::eval {
namespace {

// The code of the last action before a line takes over: an earlier line may still blend in.
std::vector<float> CodeBefore(const std::vector<steer::ScheduledCode>& schedule, std::size_t line) {
  net::CodeBlend blend(static_cast<int>(schedule.front().answer.code.size()));
  blend.Start(schedule.front().answer.code);
  std::size_t next = 1;
  for (std::int64_t step = 0; step < schedule[line].step; ++step) {
    for (; next < line && schedule[next].step <= step; ++next) {
      blend.BlendTo(schedule[next].answer.code, schedule[next].blend_steps);
    }
    blend.Advance();
  }
  return blend.code();
}

}  // namespace

std::vector<rollout::CodeChange> ChangesOf(const std::vector<steer::ScheduledCode>& schedule) {
  std::vector<rollout::CodeChange> changes;
  for (const steer::ScheduledCode& one : std::span(schedule).subspan(1)) {
    changes.push_back({one.step, one.answer.code, one.blend_steps});
  }
  return changes;
}

std::optional<int> TrySchedule(const sim::Environment& environment, const net::Model& model,
                               const rollout::CodeRunOptions& run,
                               std::vector<steer::ScheduledCode>& schedule) {
  const std::int64_t end =
      run.steps > 0 ? std::min(run.steps, environment.time_limit()) : environment.time_limit();
  int others = 0;
  for (std::size_t line = 1; line < schedule.size() && schedule[line].step < end; ++line) {
    steer::ScheduledCode& next = schedule[line];
    if (next.others.empty()) continue;
    const std::int64_t until_step =
        line + 1 < schedule.size() ? std::min(end, schedule[line + 1].step) : end;
    rollout::CodeRunOptions until = run;
    until.episodes = 1;
    until.steps = until.save_at = static_cast<int>(next.step);
    until.changes = {ChangesOf(schedule)};
    until.label = fmt::format("reach step {}", next.step);
    const auto reached =
        rollout::RollOutCodes(environment, model, schedule.front().answer.code, until);
    if (!reached) return std::nullopt;
    if (reached->saved.front() == 0) return others;  // it falls before
    rollout::TakeoverTrial trial{CodeBefore(schedule, line), reached->states, {}};
    trial.codes.push_back(next.answer.code);
    for (const steer::Answer& other : next.others) trial.codes.push_back(other.code);
    const auto chosen = rollout::ChooseTakeovers(
        environment, model, {&trial, 1},
        {.mode = run.mode,
         .step = next.step,
         .steps = static_cast<int>(until_step - next.step),
         .blend_steps = next.blend_steps,
         .first_code = core::stream_key::kTriedTakeovers,
         .label = fmt::format("try {} answers at step {}", trial.codes.size(), next.step),
         .job = run.job});
    if (!chosen) return std::nullopt;
    if (chosen->front() == 0) continue;
    std::swap(next.answer, next.others[chosen->front() - 1]);
    ++others;
  }
  return others;
}

}  // namespace rhumb::eval
