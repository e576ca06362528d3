#include "rhumb/eval/map/model_map.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/steer/plane_model.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;
using testing::ElementsAre;

// The axes are (0, 1, 0) and (0, 0, -1), through (1, 2, 3).
net::Model MappedDiamond() {
  net::Model model = steer::PlaneModel();
  model.map = {{1, 2, 3}, {0, 1, 0, 0, 0, -1}};
  model.training.codes = {1, 4, 3, 1, 0, 3, 1, 2, 5, 1, 2, 1};
  model.training.values = {1, 2, 3, 4, 5, 6, 7, 8};
  return model;
}

TEST(ModelMap, PlacesACodeAlongTheTwoDirections) {
  EXPECT_THAT(PlaceOnMap(MappedDiamond(), std::vector<float>{9, 5, 1}), ElementsAre(3, 2));
  EXPECT_THAT(PlaceOnMap(MappedDiamond(), std::vector<float>{1, 2, 3}), ElementsAre(0, 0));
}

TEST(ModelMap, TheLandscapeIsTheTrainingCodes) {
  const json landscape = DescribeLandscape(MappedDiamond());
  EXPECT_EQ(landscape["places"], json::parse("[[2,0],[-2,0],[0,-2],[0,2]]"));
  EXPECT_EQ(landscape["values"], json::parse("[[1,2],[3,4],[5,6],[7,8]]"));
}

// The squares along the axes are 2 * 2^2 each; a fifth code is 4 away from both.
TEST(ModelMap, TheMapTellsTheSharesOfVariance) {
  net::Model model = MappedDiamond();
  model.training.codes.insert(model.training.codes.end(), {5, 2, 3});
  model.training.values.insert(model.training.values.end(), {9, 10});
  const json map = DescribeMap(model);
  EXPECT_DOUBLE_EQ(map["variance_shares"][0], 0.25);
  EXPECT_DOUBLE_EQ(map["variance_shares"][1], 0.25);
  EXPECT_EQ(map["variant"], "plane");
  EXPECT_EQ(map["objectives"][1]["name"], "up");
}

// Ranges are 2 and 2. Code 0 deviates by 1 % of the first, code 1 by 5 % of the second.
TEST(ModelMap, TellsHowSteadyAndHowSureItIs) {
  EXPECT_TRUE(DescribeMap(MappedDiamond())["tried"].is_null());
  net::Model model = steer::GroundedPlaneModel();
  model.map = {{1, 2, 3}, {0, 1, 0, 0, 0, -1}};
  model.description.shaping_labels = 2;
  EXPECT_TRUE(DescribeTried(model).is_null()) << "no codes were rolled out";
  net::CodeTable& tried = model.grounded[0]->rolled_out;
  tried.code_size = 3;
  tried.objectives = 2;
  tried.codes = {0, 0, 0, 1, 2, 3};
  tried.values = {0, 0, 1, 2};
  tried.deviations = {0.02F, 0.01F, 0.02F, 0.1F};
  const json described = DescribeTried(model);
  EXPECT_EQ(described["mode"], "sampled");
  EXPECT_EQ(described["places"][1], json::parse("[0,0]"));
  EXPECT_EQ(described["values"], json::parse("[[0,0],[1,2]]"));
  EXPECT_NEAR(described["spread"][0].get<double>(), 1, 1e-4);
  EXPECT_NEAR(described["spread"][1].get<double>(), 5, 1e-4);
  ASSERT_EQ(described["doubt"].size(), 2u);
  for (const json& doubt : described["doubt"]) EXPECT_GT(doubt.get<double>(), 0);
}

}  // namespace
}  // namespace rhumb::eval
