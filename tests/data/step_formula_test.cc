#include "rhumb/data/step_formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"

namespace rhumb::data {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

double Evaluate(const std::string& text, std::int64_t step) {
  return StepFormula(text, SampleDescription(), "test").Evaluate(TwoSteps(), step);
}

TEST(StepFormula, KnowsEveryNumberOfAStep) {
  EXPECT_EQ(Evaluate("height", 1), 3);
  EXPECT_EQ(Evaluate("speed", 0), 2);
  EXPECT_EQ(Evaluate("reward_forward", 1), 8);
  EXPECT_EQ(Evaluate("reward_energy", 0), -25);
  EXPECT_EQ(Evaluate("reward", 1), 0.25);
  EXPECT_EQ(Evaluate("action_1", 0), 4);
  EXPECT_EQ(Evaluate("obs_2", 1), 25);
  EXPECT_EQ(Evaluate("next_obs_2", 1), 35);
  EXPECT_EQ(Evaluate("sum_sq_action", 0), 25);
  EXPECT_EQ(Evaluate("sum_sq_action", 1), 1);
  EXPECT_EQ(Evaluate("next_obs_2 - obs_2 + 2 * height", 0), 7);
}

TEST(StepFormula, AQuantityGoesBeforeABuiltInName) {
  DatasetDescription description = SampleDescription();
  description.quantities[1] = "sum_sq_action";
  EXPECT_EQ(StepFormula("sum_sq_action", description, "test").Evaluate(TwoSteps(), 0), 2);
}

// The expression points into the formula's values, which must stay where they are.
TEST(StepFormula, SurvivesAMove) {
  StepFormula first("height + obs_0", SampleDescription(), "test");
  const StepFormula moved = std::move(first);
  EXPECT_EQ(moved.Evaluate(TwoSteps(), 1), 4);
}

TEST(StepFormula, TheCallerChecksForFiniteNumbers) {
  EXPECT_TRUE(std::isnan(Evaluate("ln(speed - 1)", 1)));
}

TEST(StepFormula, UnknownNamesAreSaid) {
  const auto error_of = [](const std::string& text) {
    return test::ErrorOf([&] { StepFormula(text, SampleDescription(), "here"); });
  };
  EXPECT_THAT(error_of("hieght"),
              AllOf(HasSubstr("here: unknown name 'hieght'"), EndsWith("did you mean 'height'?")));
  EXPECT_THAT(error_of("obs_3"), HasSubstr("unknown name 'obs_3'"));
  EXPECT_THAT(error_of("action_2"), HasSubstr("unknown name 'action_2'"));
}

}  // namespace
}  // namespace rhumb::data
