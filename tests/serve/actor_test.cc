#include "rhumb/serve/actor.h"

#include <gmock/gmock.h>

#include <limits>

#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/serve/served_point.h"

namespace rhumb::serve {
namespace {

using net::RolloutMode;
using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;

class ActorTest : public testing::Test {
 protected:
  Behaviour Pushing(const std::vector<float>& push, float deviation) const {
    Behaviour behaviour;
    behaviour.policy = std::make_shared<const net::GaussianPolicy>(
        population::ConstantPolicy(environment_.observation_size(), push, deviation));
    return behaviour;
  }
  std::vector<double> Act(Actor& actor) const {
    std::vector<double> controls(2, 99);
    const std::vector<double> observation(
        static_cast<std::size_t>(environment_.observation_size()));
    actor.Act(observation, controls);
    return controls;
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
};

// The point's range is [-1, 1].
TEST_F(ActorTest, APolicyActsAndAnotherTakesOverAtOnce) {
  const auto actor = MakePolicyActor(environment_, RolloutMode::kMean, 0);
  actor->Begin(Behaviour{}, 0);
  EXPECT_THAT(Act(*actor), ElementsAre(0, 0)) << "there is no policy yet";
  EXPECT_TRUE(actor->TurnTo(Pushing({0.5F, -2}, 1), 50));
  EXPECT_THAT(Act(*actor), ElementsAre(0.5, -1)) << "clipped, and without noise";
}

TEST_F(ActorTest, SampledActionsDependOnSeedEpisodeAndStep) {
  const auto first = [&](std::uint64_t seed, std::int64_t episode) {
    const auto actor = MakePolicyActor(environment_, RolloutMode::kSampled, seed);
    actor->Begin(Pushing({0, 0}, 0.25F), episode);
    std::vector<double> both = Act(*actor);
    for (const double control : Act(*actor)) both.push_back(control);
    return both;
  };
  EXPECT_EQ(first(1, 2), first(1, 2));
  EXPECT_NE(first(1, 2), first(2, 2));
  EXPECT_NE(first(1, 2), first(1, 3));
  EXPECT_NE(first(1, 2)[0], first(1, 2)[2]) << "the second step draws anew";
}

TEST_F(ActorTest, APolicyThatOverflowsGivesTheCentre) {
  const auto actor = MakePolicyActor(environment_, RolloutMode::kMean, 0);
  actor->Begin(Pushing({std::numeric_limits<float>::infinity(), 0}, 1), 0);
  EXPECT_THAT(Act(*actor), Each(DoubleEq(0)));
}

TEST_F(ActorTest, ACodeActsThroughTheDecoder) {
  const ServedPoint point;
  const Behaviour row = point.subject->StageRow(0, RolloutMode::kMean);
  const auto actor = point.subject->MakeActor(RolloutMode::kMean, 0);
  actor->Begin(row, 0);
  const std::vector<double> once = Act(*actor);
  EXPECT_THAT(once, Each(testing::AllOf(testing::Ge(-1), testing::Le(1))));
  EXPECT_FALSE(actor->TurnTo(Behaviour{}, 0)) << "a code of another size";
  EXPECT_EQ(Act(*actor), once);
}

}  // namespace
}  // namespace rhumb::serve
