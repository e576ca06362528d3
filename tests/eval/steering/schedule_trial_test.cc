#include "rhumb/eval/steering/schedule_trial.h"

#include <gmock/gmock.h>

#include "tests/eval/steering/between_model.h"

namespace rhumb::eval {
namespace {

using testing::ElementsAre;

steer::ScheduledCode Line(std::int64_t step, std::vector<float> code,
                          std::vector<std::vector<float>> others) {
  steer::ScheduledCode line;
  line.step = step;
  line.answer.code = std::move(code);
  for (std::vector<float>& other : others) line.others.emplace_back().code = std::move(other);
  return line;
}

// The point is fast until step 60, because the line before chose another answer, and then slow.
TEST(ScheduleTrial, TakesTheAnswerThatGoesOnBest) {
  const sim::Environment environment(sim::FindBundle("point-v0", "two"));
  const net::Model model = BetweenModel(environment);
  const rollout::CodeRunOptions run{.mode = net::RolloutMode::kMean, .job = {.quiet = true}};
  std::vector<steer::ScheduledCode> schedule = {
      Line(0, {1, 0}, {{0, 0}}), Line(40, {0, 0}, {{0.5F, 0}, {1, 0}}), Line(60, {0, 0}, {}),
      Line(80, {0, 0}, {{1, 0}}), Line(100, {1, 0}, {{0, 0}})};
  EXPECT_EQ(TrySchedule(environment, model, run, schedule), 1);
  EXPECT_THAT(schedule[0].answer.code, ElementsAre(1, 0)) << "nothing acts before it";
  EXPECT_THAT(schedule[1].answer.code, ElementsAre(1, 0));
  EXPECT_THAT(schedule[1].others[1].code, ElementsAre(0, 0));
  EXPECT_THAT(schedule[3].answer.code, ElementsAre(0, 0));
  EXPECT_THAT(schedule[4].answer.code, ElementsAre(1, 0)) << "the episode has ended";
  EXPECT_EQ(ChangesOf(schedule).size(), 4u);
  EXPECT_EQ(ChangesOf(schedule)[0].step, 40);
  EXPECT_THAT(ChangesOf(schedule)[0].code, ElementsAre(1, 0));
}

}  // namespace
}  // namespace rhumb::eval
