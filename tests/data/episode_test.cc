#include "rhumb/data/episode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"

namespace rhumb::data {
namespace {

using test::ErrorOf;

TEST(Episode, MotionIsTheRootMeanSquareOfTheSpeeds) {
  Episode episode;
  EXPECT_EQ(MeasureMotion(episode), 0);
  episode.qvel = {3, 4, 0, 0};
  EXPECT_DOUBLE_EQ(MeasureMotion(episode), 2.5);  // sqrt((9 + 16) / 4)
}

TEST(Episode, ShapeIsChecked) {
  const StepShape shape = SampleDescription().shape();
  const Episode good = SampleEpisode(0, 4, 0);
  EXPECT_EQ(ErrorOf([&] { CheckShape(good, shape, "here"); }), "");

  Episode episode = good;
  episode.observations.resize(12);
  EXPECT_EQ(ErrorOf([&] { CheckShape(episode, shape, "here"); }),
            "here: observations of an episode of 4 steps has 12 numbers, not 15");
  episode = good;
  episode.truncations.push_back(0);
  EXPECT_EQ(ErrorOf([&] { CheckShape(episode, shape, "here"); }),
            "here: truncations of an episode of 4 steps has 5 numbers, not one per step");
  episode = good;
  episode.returns.pop_back();
  EXPECT_EQ(ErrorOf([&] { CheckShape(episode, shape, "here"); }),
            "here: an episode has 1 returns, not 2");
}

TEST(Episode, StdIsConstantOrPerStep) {
  const StepShape shape = SampleDescription().shape();
  Episode episode = SampleEpisode(0, 4, 0);
  episode.action_stds.resize(4 * 2);
  EXPECT_EQ(ErrorOf([&] { CheckShape(episode, shape, "here"); }), "");
  episode.action_stds.resize(3 * 2);
  EXPECT_EQ(ErrorOf([&] { CheckShape(episode, shape, "here"); }),
            "here: action_std of an episode of 4 steps has 6 numbers, not 8");
}

TEST(Episode, FindsWhatIsNotFinite) {
  Episode episode = SampleEpisode(0, 4, 0);
  episode.observations[3] = -std::numeric_limits<float>::max();
  EXPECT_EQ(FindNonFinite(episode), "");
  episode.returns[1] = NAN;
  EXPECT_EQ(FindNonFinite(episode), "return");
  episode.quantities.back() = INFINITY;
  EXPECT_EQ(FindNonFinite(episode), "quantities");
  episode.actions[0] = NAN;
  EXPECT_EQ(FindNonFinite(episode), "actions");
}

TEST(Episode, ClearEmptiesEveryArray) {
  Episode episode = SampleEpisode(0, 4, 0);
  episode.diverged = true;
  episode.Clear();
  EXPECT_EQ(episode.steps(), 0);
  EXPECT_FALSE(episode.diverged);
  for (const FieldLayout& layout : LayoutOf(SampleDescription().shape())) {
    EXPECT_TRUE((episode.*layout.values).empty()) << layout.name;
  }
}

}  // namespace
}  // namespace rhumb::data
