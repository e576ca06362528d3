#include "rhumb/cli/steer_report.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace rhumb::cli {
namespace {

using testing::HasSubstr;

constexpr net::RolloutMode kMode = net::RolloutMode::kSampled;

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

TEST(SteerReport, Probabilities) {
  steer::Answer answer;
  EXPECT_EQ(DescribeProbability(answer), "") << "a model without roll-outs";
  answer.probability = 1;
  EXPECT_EQ(DescribeProbability(answer), "") << "nothing but a wish";
  answer.probability = 0.934;
  EXPECT_EQ(DescribeProbability(answer), "93 % likely to be as asked");
  answer.probability = 0.9999;
  EXPECT_EQ(DescribeProbability(answer), "more than 99 % likely to be as asked");
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
  EXPECT_EQ(FormatAnswers({model, kMode, query, result, {}}),
            "quantity        asked           predicted  on this map\n"
            "forward                   6000       5990  -3000 to -500\n"
            "energy          -3000 to -1000      -2000  -3000 to -500\n"
            "forward/energy  <= -2              -2.995\n");
  const eval::Realised realised{.mean = {6010, -2005}, .std = {3, NAN}, .episodes = 8};
  const std::vector<eval::Realised> all = {realised};
  EXPECT_THAT(FormatAnswers({model, kMode, query, result, all}),
              testing::AllOf(HasSubstr("realised, 8 episodes"), HasSubstr("6010 ± 3 "),
                             HasSubstr(" -2005 ")));
}

TEST(SteerReport, UnitsOfSumsAreShort) {
  steer::Query query;
  query.AddTarget("forward=6000");
  steer::Result result;
  result.answers = {AnswerOf({5990, -2000})};
  net::Model model = ModelOf({"forward", "energy"});
  model.description.objectives[0].unit = "m/s summed over steps";
  model.description.objectives[1].unit = "m/s, plus 1 per step, summed over steps";
  const std::string table = FormatAnswers({model, kMode, query, result, {}});
  EXPECT_THAT(table, HasSubstr("  m/s, sum\n"));
  EXPECT_THAT(table, HasSubstr("  m/s, plus 1 per step, sum\n"));
}

// A batch shows only what each query asks for.
TEST(SteerReport, BatchHasARowPerAskedQuantity) {
  const net::Model model = ModelOf({"forward", "energy", "height"});
  const std::vector<eval::Realised> none;
  steer::Query first, second;
  first.AddTarget("forward=6000");
  first.AddRequirement("energy>=-3000");
  second.AddTarget("height=9");
  steer::Result solved, infeasible;
  solved.status = steer::Status::kSolved;
  solved.answers = {AnswerOf({5990, -2000, 1})};
  infeasible.status = steer::Status::kInfeasible;
  const std::vector<SteerOutcome> predicted = {{model, kMode, first, solved, none},
                                               {model, kMode, second, infeasible, none}};
  EXPECT_EQ(FormatBatch(predicted),
            "query  status      ms   quantity  asked     predicted\n"
            "    1  solved      0.0  forward       6000       5990\n"
            "                        energy    >= -3000      -2000\n"
            "    2  infeasible  0.0  height           9\n");
  solved.answers[0].interval = {{5900, 6100}, {-2100, -1900}, {0, 2}};
  solved.interval_episodes = 4;
  solved.interval_level = 0.9;
  const std::vector<eval::Realised> realised = {
      {.mean = {6010, -2005, 1}, .std = {3, 7, 0}, .episodes = 8}};
  const std::vector<SteerOutcome> both = {{model, kMode, second, infeasible, none},
                                          {model, kMode, first, solved, realised}};
  EXPECT_EQ(FormatBatch(both),
            "query  status      ms   quantity  asked     predicted  90 % interval   realised, 8 "
            "episodes\n"
            "    1  infeasible  0.0  height           9\n"
            "    2  solved      0.0  forward       6000       5990  5900 to 6100    6010 ± 3\n"
            "                        energy    >= -3000      -2000  -2100 to -1900  -2005 ± 7\n");
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
  steer::Result result;
  result.infeasibility = diagnosis;
  const net::Model model = ModelOf({"speed"});
  const steer::Query query = steer::Query().AddTarget("speed=500");
  EXPECT_EQ(FormatDiagnosis({model, kMode, query, result, {}}, 0.75),
            "nearest  asked  predicted  on this map\n"
            "speed      500        100  -3000 to -500\n"
            "to relax, one at a time:\n"
            "  speed at 500: relax to 120 (by -380)\n"
            "  energy at least -1: relaxing it alone is not enough\n");
}

// 5 standard deviations above the bound, on it, and one below: 100, 50 and 16 %.
TEST(SteerReport, LikelihoodsByHand) {
  const double z = 1.6448536269514722;  // of a 90 % interval
  const steer::Interval interval{100 - 10 * z, 100 + 10 * z};
  const double far = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(LikelihoodOf(100, interval, 0.9, 50, far), 1, 1e-6);
  EXPECT_NEAR(LikelihoodOf(100, interval, 0.9, 100, far), 0.5, 1e-9);
  EXPECT_NEAR(LikelihoodOf(100, interval, 0.9, 110, far), 0.15866, 1e-5);
  EXPECT_NEAR(LikelihoodOf(100, interval, 0.9, -far, 110), 0.84134, 1e-5);
  EXPECT_NEAR(LikelihoodOf(100, interval, 0.9, 90, 110), 0.68269, 1e-5);
}

// Predicted on the bound, so it is kept with an even chance.
TEST(SteerReport, TheDiagnosisUsesOneRule) {
  steer::Result result;
  result.interval_level = 0.9;
  steer::Diagnosis& diagnosis = result.infeasibility.emplace();
  diagnosis.nearest = AnswerOf({-200});
  diagnosis.nearest.interval = {{-230, -170}};
  diagnosis.relax = {{.text = "energy at least -200", .quantity = "energy", .possible = false}};
  const net::Model model = ModelOf({"energy"});
  const steer::Query query = steer::Query().AddRequirement("energy>=-200");
  const std::string text = FormatDiagnosis({model, kMode, query, result, {}}, 0.75);
  EXPECT_THAT(text, HasSubstr("nearest  asked    predicted  90 % interval  kept  on this map\n"));
  EXPECT_THAT(text, HasSubstr("not likely enough: the nearest keeps energy >= -200 with 50 %, "
                              "asked 75 %\n"));
  EXPECT_THAT(text, HasSubstr("energy at least -200: no value of it alone makes the rest 75 % "
                              "likely\n"));
}

TEST(SteerReport, ARemarkOnAValueThatCouldNotStay) {
  net::Model model = ModelOf({"forward", "energy"});
  model.description.objectives[0].std = 100;
  const steer::Query query = steer::Query().AddChange("energy +20%");
  const steer::Reference reference{.code = {0, 0}, .values = {4913, -1000}};
  steer::Result result;
  result.answers = {AnswerOf({6915, -800})};
  const SteerOutcome outcome{model, kMode, query, result, {}, &reference};
  EXPECT_THAT(RemarksOn(outcome, {}),
              testing::ElementsAre("forward could not stay: it moves from 4913 to 6915"));
  result.answers = {AnswerOf({4920, -800})};
  EXPECT_THAT(RemarksOn(outcome, {}), testing::IsEmpty());
}

}  // namespace
}  // namespace rhumb::cli
