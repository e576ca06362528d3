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

// A row that blends acts as rows that have the codes of the way from the start.
TEST(CodeActor, BlendsInMidEpisode) {
  const auto model = SharedSample();
  const std::vector<double> seen = {0.1, -0.2, 0.3};
  CodeActor turning(model, RolloutMode::kSampled, 7, 1);
  turning.SetCode(0, model->training.code(0));
  ActOn(turning, seen);
  ASSERT_TRUE(turning.BlendTo(0, model->training.code(1), 2));
  for (int step = 1; step <= 3; ++step) {
    std::vector<float> code(6);
    for (std::size_t i = 0; i < 6; ++i) {
      const float from = model->training.code(0)[i], to = model->training.code(1)[i];
      code[i] = step == 1 ? from + 0.5F * (to - from) : to;
    }
    CodeActor fixed(model, RolloutMode::kSampled, 7, 1);
    fixed.SetCode(0, code);
    for (int i = 0; i < step; ++i) ActOn(fixed, seen);  // the noise is keyed by the step
    EXPECT_EQ(turning.is_blending(0), step <= 2);
    EXPECT_THAT(ActOn(turning, seen), ElementsAreArray(ActOn(fixed, seen)));
    EXPECT_THAT(std::vector<float>(turning.code(0).begin(), turning.code(0).end()),
                ElementsAreArray(code));
  }
}

TEST(CodeActor, RefusesBadBlends) {
  CodeActor actor(SharedSample(), RolloutMode::kMean, 0, 1);
  const std::vector<float> code(6);
  std::vector<float> bad(6);
  bad[3] = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(actor.BlendTo(0, code, 0));
  EXPECT_FALSE(actor.BlendTo(1, code, 0));
  EXPECT_FALSE(actor.BlendTo(-1, code, 0));
  EXPECT_FALSE(actor.BlendTo(0, bad, 0));
  EXPECT_FALSE(actor.BlendTo(0, std::vector<float>(5), 0));
  EXPECT_FALSE(actor.BlendTo(0, code, -1));
  EXPECT_FALSE(actor.BlendTo(0, code, kMaxBlendSteps + 1));
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
