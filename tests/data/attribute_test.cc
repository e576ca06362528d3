#include "rhumb/data/attribute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"

namespace rhumb::data {
namespace {

using test::ErrorOf;
using testing::HasSubstr;

double Compute(const std::string& text) {
  return Attribute(text, SampleDescription(), "test").Compute(TwoSteps());
}

TEST(Attribute, ByHand) {
  EXPECT_EQ(Compute("sum(height)"), 4);
  EXPECT_EQ(Compute("mean(height)"), 2);
  EXPECT_EQ(Compute("min(height)"), 1);
  EXPECT_EQ(Compute("max(height)"), 3);
  EXPECT_EQ(Compute("std(height)"), 1);
  EXPECT_EQ(Compute("  mean ( (height + 1) * speed ) "), 2);  // (2 * 2 + 4 * 0) / 2
}

TEST(Attribute, EveryEpisodeStartsAnew) {
  const Attribute attribute("max(height)", SampleDescription(), "test");
  Episode episode = TwoSteps();
  EXPECT_EQ(attribute.Compute(episode), 3);
  episode.quantities = {-5, 0, -6, 0};
  EXPECT_EQ(attribute.Compute(episode), -5);
}

TEST(Attribute, BadTextsAreSaid) {
  const auto error_of = [](const std::string& text) {
    return ErrorOf([&] { Attribute(text, SampleDescription(), "here"); });
  };
  EXPECT_THAT(error_of("height"), HasSubstr("here: 'height' is not an attribute; apply sum"));
  EXPECT_THAT(error_of("max(height) + max(speed)"), HasSubstr("is not an attribute"));
  EXPECT_THAT(error_of("mean(height"), HasSubstr("is not an attribute"));
  EXPECT_THAT(error_of("maen(height)"), HasSubstr("did you mean 'mean'?"));
  EXPECT_THAT(error_of("mean(hieght)"),
              HasSubstr("here: unknown name 'hieght' in 'hieght'; did you mean 'height'?"));
  EXPECT_THAT(error_of("mean(height +)"), HasSubstr("does not parse"));
  EXPECT_THAT(error_of("mean()"), HasSubstr("here: ''"));
}

TEST(Attribute, ANumberThatIsNotFiniteIsAnError) {
  EXPECT_EQ(ErrorOf([] { Compute("mean(ln(speed - 1))"); }),
            "attribute 'mean(ln(speed - 1))' is not finite in step 1 of an episode");
}

}  // namespace
}  // namespace rhumb::data
