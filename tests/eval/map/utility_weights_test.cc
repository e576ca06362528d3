#include "rhumb/eval/map/utility_weights.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

TEST(UtilityWeights, AreThoseOfPymoo) {
  const nlohmann::json golden = nlohmann::json::parse(test::Contents(
      std::filesystem::path(std::getenv("RHUMB_SOURCE_DIR")) / "tests/eval/golden/front.json"));
  for (const std::size_t objectives : {2, 3, 4}) {
    const auto rows =
        golden["weights"][std::to_string(objectives)].get<std::vector<std::vector<double>>>();
    const auto weights = UtilityWeights(objectives);
    ASSERT_EQ(rows.size(), kUtilityWeights);
    ASSERT_EQ(weights.size(), kUtilityWeights * objectives);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      // The table has ten digits.
      EXPECT_NEAR(weights[i], rows[i / objectives][i % objectives], 6e-11);
    }
  }
}

TEST(UtilityWeights, OfOtherNumbersOfObjectives) {
  ASSERT_EQ(UtilityWeights(1).size(), 1u);
  EXPECT_EQ(UtilityWeights(1)[0], 1);
  EXPECT_TRUE(UtilityWeights(0).empty());
  EXPECT_TRUE(UtilityWeights(5).empty());
}

}  // namespace
}  // namespace rhumb::eval
