#include "rhumb/cli/played_schedule.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/eval/steering/between_model.h"

namespace rhumb::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Four steps with a speed of 1, 2, 3 and 4, and an effort of 1 each; the second behaviour has the
// last of them. The third begins after the end.
TEST(PlayedSchedule, SharesTheStepsOut) {
  const sim::Environment environment(sim::FindBundle("point-v0", "two"));
  const net::Model model = eval::BetweenModel(environment);
  data::Episode episode;
  episode.terminations.assign(4, 0);
  episode.vector_rewards = {1, -1, 2, -1, 3, -1, 4, -1};
  std::vector<steer::ScheduledCode> schedule(3);
  schedule[1].step = 3;
  schedule[1].blend_steps = 5;
  schedule[1].words = "bring x_velocity to 4";
  schedule[1].answer.predicted = {390, -90};
  schedule[2].step = 9;
  std::vector<PlayedSpan> spans(3, {0, {0, 0}});
  AddSpans(episode, schedule, 2, spans);
  AddSpans(episode, schedule, 2, spans);
  EXPECT_EQ(spans[0].steps, 6);
  EXPECT_THAT(spans[0].sums, ElementsAre(12, -6));
  EXPECT_EQ(spans[1].steps, 2);
  EXPECT_THAT(spans[1].sums, ElementsAre(8, -2));
  EXPECT_EQ(spans[2].steps, 0);

  nlohmann::json document = nlohmann::json::array();
  for (std::size_t i = 0; i < 3; ++i) {
    document.push_back(ToJson(schedule[i], spans[i], environment, model));
  }
  EXPECT_EQ(document[0]["pace"]["x_velocity"], 200) << "2 a step, for 100 steps";
  EXPECT_EQ(document[1]["pace"]["x_velocity"], 400);
  EXPECT_EQ(document[1]["predicted"]["x_velocity"], 390);
  EXPECT_TRUE(document[2]["pace"].empty()) << "it was not played";
  const std::string shown = FormatSchedule(document, environment);
  EXPECT_THAT(shown, HasSubstr("bring x_velocity to 4"));
  EXPECT_THAT(shown, HasSubstr("400"));
}

}  // namespace
}  // namespace rhumb::cli
