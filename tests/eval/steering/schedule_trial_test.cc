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

// The number of steps that a schedule plays, once for each time that it asks whether to stop.
class ScheduleSteps : public testing::Test {
 protected:
  int Played(std::vector<steer::ScheduledCode> schedule, int steps = 0) const {
    int asked = 0;
    const auto count = [&asked] {
      ++asked;
      return false;
    };
    const rollout::CodeRunOptions run{.mode = net::RolloutMode::kMean,
                                      .steps = steps,
                                      .job = {.quiet = true, .should_stop = count}};
    EXPECT_TRUE(TrySchedule(environment_, model_, run, schedule).has_value());
    return asked;
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const net::Model model_ = BetweenModel(environment_);
};

// A line is reached once, then tried from there and from the start.
TEST_F(ScheduleSteps, ALineIsTriedUntilTheNextOneOrTheEnd) {
  const std::vector<std::vector<float>> others = {{0.5F, 0}};
  EXPECT_EQ(Played({Line(0, {1, 0}, {}), Line(40, {0, 0}, others)}), 40 + 60 + 40 + 60);
  EXPECT_EQ(Played({Line(0, {1, 0}, {}), Line(40, {0, 0}, others), Line(50, {1, 0}, {})}),
            40 + 10 + 40 + 10);
  EXPECT_EQ(Played({Line(0, {1, 0}, {}), Line(40, {0, 0}, others)}, 45), 40 + 5 + 40 + 5);
  EXPECT_EQ(Played({Line(0, {1, 0}, {}), Line(40, {0, 0}, others)}, 40), 0);
}

// The second line has blended for 20 of 40 steps when the third one comes, so the point is pushed
// half as hard. What blends on from there changes least; from the end of the blend it would be
// `slow`.
TEST(ScheduleTrial, GoesOnFromTheMidstOfABlend) {
  const sim::Environment environment(sim::FindBundle("point-v0", "three"));
  net::Model model = rollout::EchoModel(rollout::DescribeRecordings(environment), 0);
  // Only the effort counts: of the blend, since both codes spend as much once they are reached.
  model.description.shaping_labels = 1;
  model.description.objectives[0].name = "effort";
  model.description.objectives[0].expression = "mean(sum_sq_action)";
  const rollout::CodeRunOptions run{.mode = net::RolloutMode::kMean, .job = {.quiet = true}};
  // From (0.5, 0) to (0, 1) the effort falls below 1 on the way; to (1, 0) it does so less. From
  // (0, 0), the end of the blend, both ways are the same, and the first would stay.
  std::vector<steer::ScheduledCode> schedule = {Line(0, {1, 0}, {}), Line(20, {0, 0}, {}),
                                                Line(40, {0, 1}, {{1, 0}})};
  schedule[1].blend_steps = 40;
  schedule[2].blend_steps = 20;
  EXPECT_EQ(TrySchedule(environment, model, run, schedule), 1);
  EXPECT_THAT(schedule[2].answer.code, ElementsAre(1, 0));
}

}  // namespace
}  // namespace rhumb::eval
