#include "rhumb/rollout/episode_values.h"

#include <gmock/gmock.h>

#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/rollout/recording.h"
#include "rhumb/sim/catalogue.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::rollout {
namespace {

// Two steps with the push (0.5, 0): an energy of -0.25 each. The attribute is the mean of the same.
TEST(EpisodeValues, AreReturnsAndAttributesSoFar) {
  const sim::Environment environment(sim::FindBundle("point-v0", "two"));
  net::Model model = EchoModel(DescribeRecordings(environment), 0);
  net::ModelObjective effort;
  effort.name = "effort";
  effort.expression = "mean(sum_sq_action)";
  model.description.objectives.push_back(effort);
  EpisodeValues sources(environment, model);

  sim::Batch batch(environment, {});
  batch.Reset();
  data::Episode episode;
  BeginRecording(batch, 0, episode);
  std::vector<double> controls(2), values(3);
  for (int step = 1; step <= 2; ++step) {
    for (std::size_t a = 0; a < 2; ++a) {
      controls[a] = RecordAction(environment, a, a == 0 ? 0.5F : 0.0F, 0, episode);
    }
    batch.StepControls(controls);
    RecordStep(batch, 0, {}, episode);
    sources.Compute(episode, values);
    EXPECT_DOUBLE_EQ(values[1], -0.25 * step);
    EXPECT_DOUBLE_EQ(values[2], 0.25);
  }
}

TEST(EpisodeValues, KnowTheirObjectives) {
  const sim::Environment environment(sim::FindBundle("point-v0", "two"));
  net::Model model = EchoModel(DescribeRecordings(environment), 0);
  model.description.objectives[0].name = "y_velocity";
  EXPECT_THAT(test::ErrorOf([&] { EpisodeValues(environment, model); }),
              testing::HasSubstr("lacks the model's objective 'y_velocity'"));
}

}  // namespace
}  // namespace rhumb::rollout
