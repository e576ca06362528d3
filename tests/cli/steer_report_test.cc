#include "rhumb/cli/steer_report.h"

#include <gmock/gmock.h>

namespace rhumb::cli {
namespace {

using testing::HasSubstr;

net::Model ModelOf(const std::vector<std::string>& objectives) {
  net::Model model;
  for (const std::string& name : objectives) {
    model.description.objectives.push_back({.name = name, .unit = "", .expression = ""});
    model.description.objectives.back().min = -3000;  // a denominator must keep its sign
    model.description.objectives.back().max = -500;
  }
  return model;
}

steer::Answer AnswerOf(const std::vector<double>& predicted) {
  steer::Answer answer;
  answer.code = {1, 2};
  answer.predicted = predicted;
  return answer;
}

TEST(SteerReport, Origins) {
  steer::Answer answer;
  EXPECT_EQ(DescribeOrigin(answer), "the start of steering, which is near enough");
  answer.iterations = 34;
  answer.distance_to_data = 0.274;
  EXPECT_EQ(DescribeOrigin(answer),
            "steered in 34 steps, 0.27 spacings from the codes that were tried");
  answer.origin = steer::Origin::kTraining;
  EXPECT_EQ(DescribeOrigin(answer), "a training code");
  answer.origin = steer::Origin::kRolledOut;
  EXPECT_EQ(DescribeOrigin(answer), "a code known from roll-outs");
}

// A quantity that is no objective is computed from the objectives' values.
TEST(SteerReport, AnswersAgainstTheQuery) {
  steer::Query query;
  query.AddTarget("forward=6000");
  query.AddRequirement("-3000<=energy<=-1000");
  query.AddRequirement("forward/energy<=-2");
  steer::Result result;
  result.answers = {AnswerOf({5990, -2000})};
  const net::Model model = ModelOf({"forward", "energy"});
  EXPECT_EQ(FormatAnswers(model, query, result, {}),
            "quantity        asked           predicted\n"
            "forward                   6000       5990\n"
            "energy          -3000 to -1000      -2000\n"
            "forward/energy  <= -2              -2.995\n");
  const eval::Realised realised{.mean = {6010, -2005}, .std = {3, NAN}, .episodes = 8};
  EXPECT_THAT(FormatAnswers(model, query, result, {realised}),
              testing::AllOf(HasSubstr("realised  deviation  episodes\n"),
                             HasSubstr("6010          3         8\n"),
                             HasSubstr("-2005  -                 8\n")));
}

TEST(SteerReport, Tries) {
  std::vector<eval::RealisedAnswer> tried(2);
  tried[0].realised = {.mean = {}, .std = {}, .episodes = 3, .diverged = 1};
  tried[1].realised = {.mean = {}, .std = {}, .episodes = 4};
  EXPECT_EQ(DescribeTries(tried),
            "tried 2 codes in 8 episodes; the prediction includes what they did");
}

TEST(SteerReport, DiagnosesSayWhatToRelax) {
  steer::Diagnosis diagnosis;
  diagnosis.nearest = AnswerOf({100});
  diagnosis.relax = {
      {.text = "speed at 500", .quantity = "speed", .asked = 500, .needed = 120},
      {.text = "energy at least -1", .quantity = "energy", .asked = -1, .possible = false}};
  EXPECT_EQ(FormatDiagnosis(ModelOf({"speed"}), diagnosis, nullptr),
            "nearest  value\n"
            "speed      100\n"
            "requirements to relax, one at a time:\n"
            "  speed at 500: relax to 120 (by -380)\n"
            "  energy at least -1: relaxing it alone is not enough\n");
}

TEST(SteerReport, TheDocumentHasWhatWasRealised) {
  const net::Model model = ModelOf({"speed"});
  steer::Query query;
  query.AddTarget("speed=3");
  const eval::Realised realised{.mean = {2.5}, .std = {0}, .episodes = 1};
  steer::Result solved;
  solved.answers = {AnswerOf({3})};
  nlohmann::json document = SteerDocument(model, query, solved, {realised});
  EXPECT_EQ(document["answers"][0]["realised"]["speed"]["mean"], 2.5);
  EXPECT_EQ(document["query"]["words"], "bring speed to 3");

  steer::Result infeasible;
  infeasible.status = steer::Status::kInfeasible;
  infeasible.infeasibility.emplace().nearest = AnswerOf({2});
  document = SteerDocument(model, query, infeasible, {realised});
  EXPECT_EQ(document["infeasibility"]["realised"]["speed"]["mean"], 2.5);
  EXPECT_TRUE(document["answers"].empty());
}

}  // namespace
}  // namespace rhumb::cli
