#include "rhumb/rollout/takeover.h"

#include <gmock/gmock.h>

#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/rollout/echo_model.h"

namespace rhumb::rollout {
namespace {

using net::RolloutMode;
using testing::ElementsAre;

// The point mass, pushed by (p, q): it keeps some of its speed for ten steps after a change.
class Takeover : public testing::Test {
 protected:
  // After 30 steps with this code.
  TakeoverTrial After(const std::vector<float>& acting) const {
    const CodeRun run =
        RollOutCodes(environment_, model_, acting,
                     {.mode = RolloutMode::kMean, .steps = 30, .save_at = 30, .job = job_})
            .value();
    return {acting, run.states, {}};
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const net::Model model_ = EchoModel(DescribeRecordings(environment_), 0);
  const core::Job job_{.quiet = true};
  const std::vector<float> slow_ = {0, 0}, fast_ = {1, 0};
};

// Nothing changes where the code that acts goes on.
TEST_F(Takeover, TheLeastTransitionWins) {
  std::vector<TakeoverTrial> trials = {After(fast_), After(slow_), After(slow_)};
  trials[0].codes = {slow_, fast_};
  trials[1].codes = {slow_, fast_};
  trials[2].codes = {fast_, slow_};
  for (const RolloutMode mode : {RolloutMode::kMean, RolloutMode::kSampled}) {
    for (const int blend : {0, 5}) {
      EXPECT_THAT(ChooseTakeovers(environment_, model_, trials,
                                  {.mode = mode, .step = 30, .blend_steps = blend, .job = job_})
                      .value(),
                  ElementsAre(1, 0, 1));
    }
  }
}

TEST_F(Takeover, TheFavouriteStaysWhereNothingIsBetter) {
  TakeoverTrial trial = After(slow_);
  trial.codes = {fast_, fast_};
  const TakeoverOptions now{.mode = RolloutMode::kMean, .step = 30, .job = job_};
  EXPECT_THAT(ChooseTakeovers(environment_, model_, {&trial, 1}, now).value(), ElementsAre(0));
  trial.codes = {fast_, slow_};
  TakeoverOptions at_the_end = now;
  at_the_end.step = environment_.time_limit();
  EXPECT_THAT(ChooseTakeovers(environment_, model_, {&trial, 1}, at_the_end).value(),
              ElementsAre(0));
  EXPECT_THAT(ChooseTakeovers(environment_, model_, {}, now).value(), ElementsAre());
}

// One code turns to the side, the other one stops: each changes one speed by as much.
TEST_F(Takeover, ChangesCountInDeviationsOfTheShapingObjectives) {
  const sim::Environment environment(sim::FindBundle("point-v0", "three"));
  net::Model model = EchoModel(DescribeRecordings(environment), 0);
  TakeoverTrial trial = After(fast_);
  trial.codes = {{1, 1}, {0, 0}};
  const TakeoverOptions now{.mode = RolloutMode::kMean, .step = 30, .job = job_};
  const auto choose = [&](double x_std, double y_std, int labels) {
    model.description.objectives[0].std = x_std;
    model.description.objectives[1].std = y_std;
    model.description.shaping_labels = labels;
    return ChooseTakeovers(environment, model, {&trial, 1}, now).value().front();
  };
  EXPECT_EQ(choose(1, 10, 3), 0u);
  EXPECT_EQ(choose(10, 1, 3), 1u);
  EXPECT_EQ(choose(10, 1, 1), 0u) << "only the speed along x shapes the map";
}

// The mean effort tells nothing of a fall.
TEST_F(Takeover, AFallIsWorseThanAnyChange) {
  core::EnvironmentBundle fragile = sim::FindBundle("point-v0", "two");
  std::string& spec = fragile.files.at(fragile.spec);
  const std::string limit = "time_limit = 100\n";
  spec.insert(spec.find(limit) + limit.size(),
              "health = [ { quantity = \"action_rate\", range = [-1, 1.5] } ]\n");
  const sim::Environment environment(fragile);
  net::Model model = EchoModel(DescribeRecordings(environment), 0);
  model.description.shaping_labels = 1;
  model.description.objectives[0].name = "effort";
  model.description.objectives[0].expression = "mean(sum_sq_action)";

  TakeoverTrial trial = After({-1, 0});
  trial.codes = {{1, 0}, {0, 0}};  // changes of 2 and of 1
  const TakeoverOptions now{.mode = RolloutMode::kMean, .step = 30, .job = job_};
  EXPECT_THAT(ChooseTakeovers(environment, model, {&trial, 1}, now).value(), ElementsAre(1));
  // Where both fall, the first one stays.
  trial.codes = {{1, 0}, {1, 0.5F}};
  EXPECT_THAT(ChooseTakeovers(environment, model, {&trial, 1}, now).value(), ElementsAre(0));
}

TEST_F(Takeover, PlaysAsFarAsTheCodeIsToAct) {
  TakeoverTrial trial = After(slow_);
  trial.codes = {fast_, slow_};
  const auto played = [&](int step, int steps) {
    int asked = 0;  // once a step
    TakeoverOptions options{.mode = RolloutMode::kMean, .step = step, .steps = steps, .job = job_};
    options.job.threads = 1;
    options.job.should_stop = [&asked] {
      ++asked;
      return false;
    };
    EXPECT_TRUE(ChooseTakeovers(environment_, model_, {&trial, 1}, options).has_value());
    return asked;
  };
  EXPECT_EQ(played(30, 0), 70 + 30 + 70);
  EXPECT_EQ(played(30, 5), 5 + 30 + 5);
  EXPECT_EQ(played(30, 200), 70 + 30 + 70);
  EXPECT_EQ(played(0, 5), 5 + 5) << "nothing is before";
}

TEST_F(Takeover, CanBeStopped) {
  TakeoverTrial trial = After(slow_);
  trial.codes = {fast_, slow_};
  TakeoverOptions options{.step = 30, .job = job_};
  options.job.should_stop = [] { return true; };
  EXPECT_EQ(ChooseTakeovers(environment_, model_, {&trial, 1}, options), std::nullopt);
}

}  // namespace
}  // namespace rhumb::rollout
