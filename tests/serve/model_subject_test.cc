#include "rhumb/serve/model_subject.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/serve/served_point.h"
#include "tests/support/error_expectation.h"

namespace rhumb::serve {
namespace {

using net::RolloutMode;
using nlohmann::json;
using testing::HasSubstr;

TEST(ModelSubject, DescribesItsModel) {
  const ServedPoint point;
  const ModelSubject& subject = *point.subject;
  EXPECT_EQ(subject.name(), "point");
  const json description = json::parse(*subject.Part(""));
  EXPECT_EQ(description["environment"], "point-v0");
  EXPECT_EQ(description["time_limit"], 100);
  EXPECT_EQ(description["objectives"][0]["name"], "x_velocity");
  const json map = json::parse(*subject.Part("map/sampled"));
  EXPECT_EQ(map["count"], subject.KnownCodes(RolloutMode::kSampled).count());
  EXPECT_EQ(map["rolled_out"], subject.HasMode(RolloutMode::kSampled));
  EXPECT_EQ(json::parse(*subject.Part("scene"))["bodies"][0], "world");
  EXPECT_EQ(description["kind"], "model");
  EXPECT_FALSE(subject.Part("policies").has_value());
  EXPECT_THAT(test::ErrorOf([&] { subject.StagePolicy(0, 5, RolloutMode::kSampled); }),
              HasSubstr("is a model"));
}

TEST(ModelSubject, SteersAsTheCommandDoes) {
  const ServedPoint point;
  const ModelSubject& subject = *point.subject;
  std::vector<Behaviour> staged;
  const json document = subject.Steer({{"target", {{"x_velocity", 0.0}}}}, {}, &staged);
  EXPECT_TRUE(document.contains("status"));
  EXPECT_EQ(document["query"]["words"], "bring x_velocity to 0");
  EXPECT_EQ(document["mode"], "sampled");
  ASSERT_EQ(staged.size(), 1u);
  EXPECT_EQ(staged[0].code.size(), static_cast<std::size_t>(subject.model().code_size()));
  EXPECT_EQ(staged[0].predicted.size(), 2u);
  const auto complaint = [&](const json& query) {
    return test::ErrorOf([&] { subject.Steer(query, {}, nullptr); });
  };
  EXPECT_THAT(complaint(json::object()), HasSubstr("empty"));
  EXPECT_THAT(complaint({{"target", {{"speed", 1}}}}), HasSubstr("'speed'"));
  EXPECT_THAT(complaint({{"change", {"energy -20%"}}}), HasSubstr("no recorded trajectory"));
  EXPECT_THAT(complaint({{"aim", 1}}), HasSubstr("'aim'"));
}

TEST(ModelSubject, StagesKnownAndOtherCodes) {
  const ServedPoint point;
  const ModelSubject& subject = *point.subject;
  EXPECT_THAT(subject.StageRow(1, RolloutMode::kSampled).code,
              testing::ElementsAreArray(subject.KnownCodes(RolloutMode::kSampled).code(1)));
  EXPECT_THAT(test::ErrorOf([&] { subject.StageRow(100000, RolloutMode::kSampled); }),
              HasSubstr("the map has the codes 0 to"));
  EXPECT_THAT(
      test::ErrorOf([&] { subject.StageCode(std::vector<float>{1}, RolloutMode::kSampled, ""); }),
      HasSubstr("a code of 1 numbers"));
}

// More choices than are kept.
TEST(ModelSubject, KeepsAFewSteerers) {
  const ServedPoint point;
  const auto first = point.subject->SteererFor({RolloutMode::kSampled, 0, 1});
  for (int answers = 2; answers < 12; ++answers) {
    EXPECT_EQ(point.subject->SteererFor({RolloutMode::kSampled, 0, answers})->options().answers,
              answers);
  }
  EXPECT_NE(point.subject->SteererFor({RolloutMode::kSampled, 0, 1}), first);
  EXPECT_EQ(point.subject->SteererFor({RolloutMode::kSampled, 0, 11}),
            point.subject->SteererFor({RolloutMode::kSampled, 0, 11}));
}

}  // namespace
}  // namespace rhumb::serve
