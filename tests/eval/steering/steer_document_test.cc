#include "rhumb/eval/steering/steer_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rhumb::eval {
namespace {

TEST(SteerDocument, HasWhatWasRealised) {
  net::Model model;
  model.description.objectives.emplace_back().name = "speed";
  steer::Query query;
  query.AddTarget("speed=3");
  const Realised realised{.mean = {2.5}, .std = {0}, .episodes = 1};
  steer::Result solved;
  solved.answers.emplace_back().predicted = {3};
  nlohmann::json document = SteerDocument(model, query, solved, {realised});
  EXPECT_EQ(document["answers"][0]["realised"]["speed"]["mean"], 2.5);
  EXPECT_EQ(document["query"]["words"], "bring speed to 3");

  steer::Result infeasible;
  infeasible.status = steer::Status::kInfeasible;
  infeasible.infeasibility.emplace().nearest.predicted = {2};
  document = SteerDocument(model, query, infeasible, {realised});
  EXPECT_EQ(document["infeasibility"]["realised"]["speed"]["mean"], 2.5);
  EXPECT_TRUE(document["answers"].empty());
}

}  // namespace
}  // namespace rhumb::eval
