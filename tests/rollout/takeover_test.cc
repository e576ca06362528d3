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

TEST_F(Takeover, CanBeStopped) {
  TakeoverTrial trial = After(slow_);
  trial.codes = {fast_, slow_};
  TakeoverOptions options{.step = 30, .job = job_};
  options.job.should_stop = [] { return true; };
  EXPECT_EQ(ChooseTakeovers(environment_, model_, {&trial, 1}, options), std::nullopt);
}

}  // namespace
}  // namespace rhumb::rollout
