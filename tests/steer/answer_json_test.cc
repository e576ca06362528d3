#include "rhumb/steer/answer_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/steer/plane_model.h"

namespace rhumb::steer {
namespace {

using nlohmann::json;

TEST(AnswerJson, DescribesADiagnosis) {
  const net::Model model = PlaneModel();
  Diagnosis diagnosis;
  diagnosis.reason = "right at 2 is out of reach";
  EXPECT_EQ(Describe(diagnosis, model.description), "right at 2 is out of reach");
  diagnosis.nearest.predicted = {1.25, -0.123456};
  EXPECT_EQ(Describe(diagnosis, model.description),
            "right at 2 is out of reach; the nearest behaviour on this map has right 1.25, "
            "up -0.1235");
}

TEST(AnswerJson, NamesTheObjectives) {
  const net::Model model = PlaneModel();
  Result result;
  Answer& answer = result.answers.emplace_back();
  answer.code = {0.5f, -0.25f, 0};
  answer.predicted = {0.5, -0.25};
  answer.interval = {{0.25, 0.75}, {-1, 0}};
  answer.origin = Origin::kRolledOut;
  answer.iterations = 7;
  result.interval_episodes = 4;
  result.interval_level = 0.9;
  const json document = ToJson(result, model.description);
  EXPECT_EQ(document["status"], "solved");
  EXPECT_FALSE(document.contains("infeasibility"));
  EXPECT_EQ(document["interval"], json({{"level", 0.9}, {"episodes", 4}}));
  const json& written = document["answers"][0];
  EXPECT_EQ(written["predicted"], json({{"right", 0.5}, {"up", -0.25}}));
  EXPECT_EQ(written["interval"]["up"], json({-1.0, 0.0}));
  EXPECT_EQ(written["origin"], "rolled_out");
  EXPECT_EQ(written["iterations"], 7);
}

TEST(AnswerJson, ARelaxationThatDoesNotHelpHasNoValue) {
  const net::Model model = PlaneModel();
  Result result;
  result.status = Status::kInfeasible;
  result.infeasibility.emplace();
  result.infeasibility->reason = "right at 2 is out of reach";
  result.infeasibility->relax = {{"right at 2", "right", 2, true, 1.5},
                                 {"up at least 0", "up", 0, false, 0}};
  const json document = ToJson(result, model.description);
  EXPECT_EQ(document["status"], "infeasible");
  EXPECT_FALSE(document.contains("interval"));
  const json& relax = document["infeasibility"]["relax"];
  EXPECT_EQ(relax[0]["needed"], 1.5);
  EXPECT_EQ(relax[0]["by"], -0.5);
  EXPECT_TRUE(relax[1]["needed"].is_null());
  EXPECT_TRUE(relax[1]["by"].is_null());
}

}  // namespace
}  // namespace rhumb::steer
