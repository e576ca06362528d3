#include "rhumb/cli/answer_rollout.h"

#include <gtest/gtest.h>

#include "rhumb/core/process/exit_code.h"
#include "tests/rollout/echo_folders.h"

namespace rhumb::cli {
namespace {

// With mean actions a code h costs 100 |h|^2.
class AnswerRollout : public testing::Test {
 protected:
  AnswerRollout() {
    run_.mode = net::RolloutMode::kMean;
    run_.episodes = 2;
    run_.job.quiet = true;
    query_.AddTarget("energy=-10");
  }

  static steer::Result ResultOf(const std::vector<std::vector<float>>& codes) {
    steer::Result result;
    for (const std::vector<float>& code : codes) result.answers.emplace_back().code = code;
    return result;
  }

  const rollout::EchoFolders folders_;
  const net::Model model_ = net::ReadModel(folders_.model());
  const steer::Steerer steerer_{model_, net::RolloutMode::kMean, steer::SteerOptions{}};
  steer::Query query_;
  rollout::CodeRunOptions run_;
};

TEST_F(AnswerRollout, EveryAnswerIsRolledOut) {
  const RolledOutResult rolled_out =
      RollOutAnswers(run_, steerer_, query_, nullptr, ResultOf({{0.1f, 0.3f}, {0.2f, 0}}));
  ASSERT_EQ(rolled_out.realised.size(), 2u);
  EXPECT_NEAR(rolled_out.realised[0].mean[1], -10, 1e-4);
  EXPECT_NEAR(rolled_out.realised[1].mean[1], -4, 1e-4);
  EXPECT_EQ(rolled_out.realised[0].episodes, 2);
}

TEST_F(AnswerRollout, WithoutEpisodesNothingIs) {
  run_.episodes = 0;
  const RolledOutResult rolled_out =
      RollOutAnswers(run_, steerer_, query_, nullptr, ResultOf({{0.1f, 0.3f}}));
  EXPECT_TRUE(rolled_out.realised.empty());
  EXPECT_EQ(rolled_out.result.answers.size(), 1u);
  EXPECT_TRUE(RollOutBatch(run_, model_, {query_}, {ResultOf({{0.1f, 0.3f}})})[0].realised.empty());
}

// The alternative that costs 10 is nearer to the target than the first one.
TEST_F(AnswerRollout, WithoutAnswersTheNearestAlternativeIsChosen) {
  steer::Result result;
  result.status = steer::Status::kInfeasible;
  result.infeasibility.emplace().alternatives = ResultOf({{0.2f, 0}, {0.1f, 0.3f}}).answers;
  const RolledOutResult rolled_out =
      RollOutAnswers(run_, steerer_, query_, nullptr, std::move(result));
  EXPECT_EQ(rolled_out.result.infeasibility->nearest.code, (std::vector<float>{0.1f, 0.3f}));
  ASSERT_EQ(rolled_out.realised.size(), 1u);
  EXPECT_NEAR(rolled_out.realised[0].mean[1], -10, 1e-4);
}

TEST_F(AnswerRollout, ABatchGivesEveryQueryItsOwn) {
  const std::vector<RolledOutResult> results = RollOutBatch(
      run_, model_, {query_, query_}, {ResultOf({{0.2f, 0}}), ResultOf({{0.1f, 0.3f}, {0, 0.1f}})});
  ASSERT_EQ(results.size(), 2u);
  ASSERT_EQ(results[0].realised.size(), 1u);
  ASSERT_EQ(results[1].realised.size(), 2u);
  EXPECT_NEAR(results[0].realised[0].mean[1], -4, 1e-4);
  EXPECT_NEAR(results[1].realised[1].mean[1], -1, 1e-4);
}

TEST_F(AnswerRollout, AStoppedRunIsAnInterruption) {
  run_.job.should_stop = [] { return true; };
  try {
    RollOutAnswers(run_, steerer_, query_, nullptr, ResultOf({{0.1f, 0.3f}}));
    FAIL() << "no exception";
  } catch (const core::CommandFailed& end) {
    EXPECT_EQ(end.code, core::kInterrupted);
  }
}

}  // namespace
}  // namespace rhumb::cli
