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

}  // namespace
}  // namespace rhumb::eval
