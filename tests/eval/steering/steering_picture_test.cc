#include "rhumb/eval/steering/steering_picture.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/steer/plane_model.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;
using Code = std::vector<float>;

net::Model MappedPlane() {
  net::Model model = steer::PlaneModel();
  model.map = {{0.11f, -0.22f, 0}, {1, 0, 0, 0, 1, 0}};
  return model;
}

TEST(SteeringPicture, QueriesAreDescribedWithSixDigits) {
  EXPECT_EQ(DescribeBriefly(
                steer::Query().AddTarget("right", 1234.56789, 0.12345678).AtMost("up", 2.0 / 3)),
            "bring right to 1234.57 within 0.123457, with up at most 0.666667");
}

TEST(SteeringPicture, TheCodeBeforeIsTheRecordedOneOrInTheMiddle) {
  const steer::Reference reference{{0.5f, 0.5f, 0}, {0.5, 0.5}};
  EXPECT_EQ(CodeBefore(MappedPlane(), &reference), reference.code);
  const Code middle = CodeBefore(MappedPlane(), nullptr);
  ASSERT_EQ(middle.size(), 3u);
  EXPECT_NEAR(middle[0], 0.1, 1e-6);
  EXPECT_NEAR(middle[1], -0.2, 1e-6);
}

TEST(SteeringPicture, APathIsDrawnOrElseAStraightLine) {
  const net::Model model = MappedPlane();
  const steer::Steerer steerer(model, net::RolloutMode::kSampled, {});
  steer::Query query;
  query.AddTarget("right=0.5").AddRequirement("up>=0");
  steer::Answer answer = steerer.Assess(Code{0.5f, 0.25f, 0});
  answer.predicted = {0.51, 0.26};  // corrected by rollouts
  const Code before = {0, 0, 0};
  const json line = DescribeSteering(steerer, query, before, {}, answer, nullptr);
  EXPECT_EQ(line["steered"], false);
  ASSERT_EQ(line["path"].size(), 2u);
  EXPECT_EQ(line["path"][0], line["before"]);
  EXPECT_EQ(line["path"][1]["predicted"], json({0.51, 0.26}));
  EXPECT_EQ(line["query"]["target"], json({{"right", 0.5}}));
  EXPECT_EQ(line["query"]["require"], json({"up >= 0"}));
  EXPECT_FALSE(line.contains("realised"));

  const std::vector<Code> path = {{0, 0, 0}, {0.25f, 0.125f, 0}, {0.5f, 0.25f, 0}};
  const Realised realised{{0.5, 0.25}, {0.1, 0.2}, 4, 0};
  const json steered = DescribeSteering(steerer, query, before, path, answer, &realised);
  EXPECT_EQ(steered["steered"], true);
  ASSERT_EQ(steered["path"].size(), 3u);
  EXPECT_NEAR(steered["path"][1]["place"][0], 0.25 - 0.11, 1e-6);
  EXPECT_NEAR(steered["path"][1]["place"][1], 0.125 + 0.22, 1e-6);
  EXPECT_EQ(steered["path"][2]["predicted"], json({0.51, 0.26}));
  EXPECT_EQ(steered["realised"]["up"]["episodes"], 4);
}

}  // namespace
}  // namespace rhumb::eval
