#include "rhumb/data/policy.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"

namespace rhumb::data {
namespace {

TEST(Policy, SplitsByName) {
  EXPECT_EQ(NameOf(Split::kHole), "hole");
  for (const Split split : kSplits) {
    EXPECT_TRUE(IsPartOf(split, NameOf(split)));
    EXPECT_FALSE(IsPartOf(split, "all"));
  }
  EXPECT_FALSE(IsPartOf(Split::kTrain, "held_out"));
  EXPECT_TRUE(IsPartOf(Split::kHeldOutCheckpoint, "held_out"));
  EXPECT_TRUE(IsPartOf(Split::kHeldOutWeight, "held_out"));
  EXPECT_FALSE(IsPartOf(Split::kHole, "held_out"));
}

TEST(Policy, EverySplitIsReadBack) {
  nlohmann::json json = ToJson(SamplePolicy(0, 5));
  for (const Split split : kSplits) {
    json["split"] = NameOf(split);
    EXPECT_EQ(PolicyFromJson(json).split, split);
    EXPECT_EQ(ToJson(PolicyFromJson(json)), json);
  }
  json["split"] = "whole";
  EXPECT_THAT(test::ErrorOf([&] { PolicyFromJson(json); }), testing::HasSubstr("'hole'"));
}

}  // namespace
}  // namespace rhumb::data
