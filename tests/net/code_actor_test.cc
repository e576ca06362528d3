#include "rhumb/net/code_actor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::net {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::shared_ptr<const Model> SharedSample() { return std::make_shared<const Model>(SampleModel()); }

std::vector<double> ActOn(CodeActor& actor, const std::vector<double>& observations) {
  std::vector<double> actions(static_cast<std::size_t>(actor.rows() * actor.model().action_size()));
  EXPECT_TRUE(actor.Act(observations, actions));
  return actions;
}

// tests/steer/embed_test.cc computes actions by hand, and tests/eval/embedding_test.cc compares
// them with rollouts.
TEST(CodeActor, RowsDoNotDependOnEachOther) {
  for (const RolloutMode mode : {RolloutMode::kSampled, RolloutMode::kMean}) {
    const auto model = SharedSample();
    CodeActor both(model, mode, 7, 2), one(model, mode, 7, 1);
    both.SetCode(0, model->training.code(0), 3, 1);
    both.SetCode(1, model->training.code(1), 4, 2);
    one.SetCode(0, model->training.code(1), 4, 2);
    for (int step = 0; step < 3; ++step) {
      const std::vector<double> seen = {0.1, 0.2, 0.3, -0.4, 0.5, 0.1 * step};
      const std::vector<double> actions = ActOn(both, seen);
      EXPECT_THAT(std::vector<double>(actions.begin() + 2, actions.end()),
                  ElementsAreArray(ActOn(one, {seen.begin() + 3, seen.end()})));
    }
  }
}

TEST(CodeActor, ABadRowLeavesTheOthersAlone) {
  const auto model = SharedSample();
  CodeActor both(model, RolloutMode::kSampled, 7, 2), one(model, RolloutMode::kSampled, 7, 1);
  both.SetCode(0, model->training.code(0));
  both.SetCode(1, model->training.code(1));
  one.SetCode(0, model->training.code(0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> actions(4);
  EXPECT_FALSE(both.Act(std::vector<double>{0, 0, 0, nan, 0, 0}, actions));
  EXPECT_THAT(std::vector<double>(actions.begin(), actions.begin() + 2),
              ElementsAreArray(ActOn(one, {0, 0, 0})));
  EXPECT_FLOAT_EQ(static_cast<float>(actions[2]), model->action_centre[0]);
  EXPECT_FALSE(both.Act(std::vector<double>{0, 0, 0}, actions));
}

TEST(CodeActor, MistakesAreErrors) {
  EXPECT_THAT(test::ErrorOf([] { CodeActor(SharedSample(), RolloutMode::kMean, 0, 0); }),
              HasSubstr("0 rows"));
  CodeActor actor(SharedSample(), RolloutMode::kMean, 0, 1);
  EXPECT_THAT(test::ErrorOf([&] { actor.SetCode(0, std::vector<float>{1}); }),
              HasSubstr("codes have 6"));
}

}  // namespace
}  // namespace rhumb::net
