#include "rhumb/eval/steering/code_choice.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/net/sample_model.h"

namespace rhumb::eval {
namespace {

using steer::Origin;
using steer::Status;
using testing::ElementsAre;

steer::Answer AnswerOf(float code, Origin origin, int iterations) {
  steer::Answer answer;
  answer.code = {code};
  answer.predicted = {10.0 * code};
  answer.origin = origin;
  answer.iterations = iterations;
  answer.distance_to_data = 0.5;
  return answer;
}

TEST(TakeAnswer, FirstAnswerOfASolvedQuery) {
  steer::Result result;
  result.answers = {AnswerOf(1, Origin::kSteered, 3), AnswerOf(2, Origin::kTraining, 0)};
  const CodeChoice choice = TakeAnswer(result);
  EXPECT_TRUE(choice.solved());
  EXPECT_EQ(choice.status, Status::kSolved);
  EXPECT_THAT(choice.code, ElementsAre(1));
  EXPECT_THAT(choice.predicted, ElementsAre(10));
  EXPECT_EQ(choice.origin, "steered");
  EXPECT_EQ(choice.iterations, 3);
  EXPECT_EQ(choice.distance, 0.5);
  result.status = Status::kIterationLimit;
  EXPECT_FALSE(TakeAnswer(result).solved());
  EXPECT_THAT(TakeAnswer(result).code, ElementsAre(1));
}

TEST(TakeAnswer, AStartThatNeverMovedIsToldApart) {
  steer::Result result;
  result.answers = {AnswerOf(1, Origin::kSteered, 0)};
  EXPECT_EQ(TakeAnswer(result).origin, "started");
  result.answers = {AnswerOf(1, Origin::kRolledOut, 0)};
  EXPECT_EQ(TakeAnswer(result).origin, "rolled_out");
}

TEST(TakeAnswer, NearestBehaviourOfAnInfeasibleQuery) {
  steer::Result result;
  result.status = Status::kInfeasible;
  result.infeasibility.emplace().nearest = AnswerOf(2, Origin::kTraining, 0);
  const CodeChoice choice = TakeAnswer(result);
  EXPECT_FALSE(choice.solved());
  EXPECT_THAT(choice.code, ElementsAre(2));
  EXPECT_EQ(choice.origin, "training");
}

// Both objectives of the sample have labels; the second row is nearest to the target.
TEST(TakeNearest, RowOfLeastMiss) {
  const net::Model model = net::SampleModel();
  const std::string name = model.description.objectives[0].name;
  const steer::Problem problem =
      steer::MakeProblem(steer::Query().AddTarget(name, 2), model, nullptr);
  net::CodeTable table;
  table.code_size = 1;
  table.objectives = 2;
  table.codes = {10, 20, 30, 40};
  table.values = {0, 9, 1.5F, 9, 3, 9, 2.5F, 9};
  const CodeChoice choice = TakeNearest(table, problem, "rolled_out");
  EXPECT_THAT(choice.code, ElementsAre(20));
  EXPECT_THAT(choice.predicted, ElementsAre(1.5, 9));
  EXPECT_EQ(choice.status, std::nullopt);
  EXPECT_TRUE(choice.solved());
  EXPECT_EQ(choice.origin, "rolled_out");
  EXPECT_TRUE(std::isnan(choice.distance));
}

TEST(SteeringOf, StillIsDefaultWithoutDescent) {
  steer::SteerOptions own;
  own.starts = 3;
  EXPECT_EQ(SteeringOf("default", own).starts, 3);
  EXPECT_EQ(SteeringOf("default", own).iterations, own.iterations);
  EXPECT_EQ(SteeringOf("still", own).starts, 3);
  EXPECT_EQ(SteeringOf("still", own).iterations, 0);
  EXPECT_EQ(SteeringOf("paper", own).starts, steer::PresetOptions("paper").starts);
}

}  // namespace
}  // namespace rhumb::eval
