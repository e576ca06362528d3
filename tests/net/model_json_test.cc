#include "rhumb/net/model_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::net {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ModelJson, ReadsBackTheDescription) {
  const json document =
      ModelToJson(SampleModel({.labels = 3, .deviation_source = DeviationSource::kCode}));
  const Model back = ModelFromJson(document, "model.json");
  EXPECT_EQ(back.description.variant, "ours");
  EXPECT_EQ(back.description.context, 8);
  ASSERT_EQ(back.description.objectives.size(), 3u);
  EXPECT_EQ(back.description.objectives[2].name, "objective_2");
  EXPECT_EQ(back.description.objectives[2].min, 8);
  EXPECT_EQ(back.encoder.heads, 3);
  EXPECT_EQ(back.decoder.deviation_source, DeviationSource::kCode);
  ASSERT_TRUE(back.grounded[0]);
  EXPECT_EQ(back.grounded[0]->seed, 7u);
  EXPECT_FALSE(back.grounded[1]);
}

TEST(ModelJson, DamagedDocumentsAreErrorsThatNameTheKey) {
  const Model sample = SampleModel();
  const auto complaint = [&](const std::string& pointer, const json& value) {
    json document = ModelToJson(sample);
    document[json::json_pointer(pointer)] = value;
    const std::string words = test::ErrorOf([&] {
      ModelFromJson(document, "model.json");
      CheckSizes(document, sample, "model.json");
    });
    EXPECT_THAT(words, AllOf(HasSubstr("model.json"), Not(HasSubstr("\n")))) << pointer;
    return words;
  };
  EXPECT_THAT(complaint("/format", 1), HasSubstr("format is 1"));
  EXPECT_THAT(complaint("/format", "1"), HasSubstr("format"));
  EXPECT_THAT(complaint("/architecture/pooling", "class_tokn"), HasSubstr("'class_token'"));
  EXPECT_THAT(complaint("/architecture/pooling", 3), HasSubstr("model.json is damaged"));
  EXPECT_THAT(complaint("/architecture/deviation_source", "coed"), HasSubstr("'code'"));
  EXPECT_THAT(complaint("/architecture/attention_heads", 3.5), HasSubstr("3.5"));
  EXPECT_THAT(complaint("/architecture/context", 0), HasSubstr("context is 0"));
  EXPECT_THAT(complaint("/architecture/context", 1e10), HasSubstr("context"));
  EXPECT_THAT(complaint("/architecture/transformer_layers", 3),
              HasSubstr("architecture.transformer_layers is 3"));
  EXPECT_THAT(complaint("/architecture/code_size", 7), HasSubstr("architecture.code_size is 7"));
  EXPECT_THAT(complaint("/environment", "x"), HasSubstr("damaged"));
  EXPECT_THAT(complaint("/environment/time_limit", -1), HasSubstr("time_limit is -1"));
  EXPECT_THAT(complaint("/objectives", json::array()), HasSubstr("has no objectives"));
  EXPECT_THAT(complaint("/objectives/1/name", "objective_0"), HasSubstr("is given twice"));
  EXPECT_THAT(complaint("/objectives/1/name", ""), HasSubstr("has no name"));
  EXPECT_THAT(complaint("/objectives/1/std", 0), HasSubstr("'objective_1': std is 0"));
  EXPECT_THAT(complaint("/objectives/1/std", nullptr), HasSubstr("std is null"));
  EXPECT_THAT(complaint("/objectives/1/min", 1e6), HasSubstr("min is 1000000, above max"));
  EXPECT_THAT(complaint("/grounded/sampeld", {{"episodes", 2}}), HasSubstr("seed"));
  EXPECT_THAT(complaint("/grounded/sampeld", {{"seed", 1u}}), HasSubstr("episodes"));
  EXPECT_THAT(complaint("/grounded/sampeld", {{"seed", 1u}, {"episodes", 2}}),
              HasSubstr("'sampled'"));
  EXPECT_THAT(complaint("/grounded/sampled/seed", -1), HasSubstr("damaged"));
  EXPECT_THAT(complaint("/grounded/sampled/episodes", 0), HasSubstr("episodes is 0"));
  EXPECT_THAT(complaint("/grounded/sampled/codes", 6), HasSubstr("sampled.codes is 6"));
  EXPECT_THAT(complaint("/provenance", 3), HasSubstr("damaged"));
  EXPECT_THAT(complaint("/objectives/1/std", 1e308), HasSubstr("'objective_1': std is 1e+308"));
  EXPECT_THAT(complaint("/objectives/1/mean", -1e300), HasSubstr("'objective_1': mean is -1e+300"));
  EXPECT_THAT(complaint("/objectives/1/name", "a\nb"), HasSubstr("cannot be printed"));
}

}  // namespace
}  // namespace rhumb::net
