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
  nlohmann::json document = ToJson(SamplePolicy(0, 5));
  for (const Split split : kSplits) {
    document["split"] = NameOf(split);
    EXPECT_EQ(PolicyFromJson(document).split, split);
    EXPECT_EQ(ToJson(PolicyFromJson(document)), document);
  }
  document["split"] = "whole";
  EXPECT_THAT(test::ErrorOf([&] { PolicyFromJson(document); }), testing::HasSubstr("'hole'"));
}

TEST(Policy, AMissingParentIsNull) {
  Policy policy = SamplePolicy(0, 5);
  nlohmann::json document = ToJson(policy);
  EXPECT_TRUE(document.at("parent").is_null());
  EXPECT_EQ(PolicyFromJson(document).parent, -1);
  document["parent"] = -1;  // as earlier versions wrote it
  EXPECT_EQ(PolicyFromJson(document).parent, -1);
  document.erase("parent");
  EXPECT_EQ(PolicyFromJson(document).parent, -1);
  policy.parent = 3;
  EXPECT_EQ(ToJson(policy).at("parent"), 3);
  EXPECT_EQ(PolicyFromJson(ToJson(policy)).parent, 3);
}

}  // namespace
}  // namespace rhumb::data
