#include "rhumb/net/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::net {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RolloutMode, HasNames) {
  EXPECT_EQ(NameOf(RolloutMode::kSampled), "sampled");
  EXPECT_EQ(ParseRolloutMode("sampled"), RolloutMode::kSampled);
  EXPECT_EQ(ParseRolloutMode("mean"), RolloutMode::kMean);
  EXPECT_THAT(test::ErrorOf([] { ParseRolloutMode("men"); }),
              AllOf(HasSubstr("'men'"), HasSubstr("'mean'")));
}

TEST(Model, HasEmptyProvenanceAndMetricsAtFirst) {
  const Model model;
  EXPECT_EQ(*model.provenance, nlohmann::json::object());
  EXPECT_EQ(*model.metrics, nlohmann::json::object());
}

// Codes vary most along (-1, -1, 0), less along the third axis, not at all along (1, -1, 0).
TEST(PrincipalMap, ByHand) {
  const std::vector<float> codes = {-3, -3, 5, 5, 5, 5, 1, 1, 7, 1, 1, 3};
  const PrincipalMap map = MakePrincipalMap(codes, 3);
  EXPECT_THAT(map.mean, ElementsAre(1, 1, 5));
  const float half = std::sqrt(0.5f);
  const float expected[] = {half, half, 0, 0, 0, 1};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(map.directions[i], expected[i], 1e-7);
}

TEST(PrincipalMap, DirectionsAreOrthonormal) {
  SampleWeights weights(6);
  const PrincipalMap map = MakePrincipalMap(weights.Draw(40 * 7), 7);
  double products[3] = {};
  for (std::size_t i = 0; i < 7; ++i) {
    products[0] += map.directions[i] * map.directions[i];
    products[1] += map.directions[7 + i] * map.directions[7 + i];
    products[2] += map.directions[i] * map.directions[7 + i];
  }
  EXPECT_NEAR(products[0], 1, 1e-6);
  EXPECT_NEAR(products[1], 1, 1e-6);
  EXPECT_NEAR(products[2], 0, 1e-6);
}

TEST(PrincipalMap, OneNumberHasOneDirection) {
  EXPECT_THAT(MakePrincipalMap(std::vector<float>{1, 3}, 1).directions, ElementsAre(1, 0));
}

}  // namespace
}  // namespace rhumb::net
