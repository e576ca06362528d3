#include "rhumb/cli/query_hint.h"

#include <gmock/gmock.h>

namespace rhumb::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// forward is a return of 500 to 7500, energy one of -4000 to -100, height a mean of 0.5 to 0.7 m.
net::Model CheetahModel() {
  net::Model model;
  model.description.time_limit = 1000;
  for (const char* name : {"forward", "energy", "height"}) {
    model.description.objectives.emplace_back().name = name;
  }
  model.description.objectives[0].unit = "m/s summed over steps";
  model.description.objectives[2].expression = "mean(torso_height)";
  model.training.code_size = 1;
  model.training.objectives = 3;
  model.training.codes = {0, 1};
  model.training.values = {500, -4000, 0.5f, 7500, -100, 0.7f};
  return model;
}

std::vector<std::string> Hints(const steer::Query& query) {
  return HintsFor(query, CheetahModel(), net::RolloutMode::kSampled);
}

TEST(QueryHint, ASpeedInsteadOfTheSumOfAnEpisode) {
  EXPECT_THAT(
      Hints(steer::Query().AddTarget("forward=6")),
      ElementsAre("did you mean forward=6000? forward is a sum over 1000 steps, 570 to 7430 "
                  "on this map (m/s summed over steps)"));
  EXPECT_THAT(Hints(steer::Query().AddTarget("height=600")),
              ElementsAre("did you mean height=0.6? height is not a sum over the episode, 0.502 to "
                          "0.698 on this map"));
}

TEST(QueryHint, AWrongSign) {
  EXPECT_THAT(Hints(steer::Query().AddRequirement("energy>=3000")),
              ElementsAre("did you mean energy>=-3000? energy is never positive, -3961 to -139 on "
                          "this map"));
}

TEST(QueryHint, NothingAboutOrdinaryNumbers) {
  EXPECT_THAT(Hints(steer::Query().AddTarget("forward=6000").AddRequirement("energy>=-3000")),
              IsEmpty());
  EXPECT_THAT(Hints(steer::Query().AddRequirement("energy<=3000")), IsEmpty()) << "always kept";
  EXPECT_THAT(Hints(steer::Query().AddTarget("forward=123456")), IsEmpty()) << "no idea";
}

}  // namespace
}  // namespace rhumb::cli
