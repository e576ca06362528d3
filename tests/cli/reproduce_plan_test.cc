#include "rhumb/cli/reproduce_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "rhumb/core/config.h"
#include "rhumb/eval/imitation.h"
#include "rhumb/eval/synthesis.h"
#include "rhumb/learn/grounding_config.h"
#include "rhumb/learn/population_config.h"
#include "rhumb/learn/representation_config.h"
#include "rhumb/rollout/collector.h"
#include "tests/support/error_expectation.h"

namespace rhumb::cli {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::set<std::string> kMeasures = {"probe",    "imitation", "synthesis",
                                         "ordering", "context",   "control-functional"};

ReproduceRequest Request(const std::string& scale) {
  return {.environment = "point-v0",
          .rewards = "",
          .scale = scale,
          .device = "cpu",
          .seed = 5,
          .threads = 2};
}

const Stage& Find(const std::vector<Stage>& stages, const std::string& output) {
  return *std::find_if(stages.begin(), stages.end(),
                       [&](const Stage& stage) { return stage.output == output; });
}

TEST(Plan, EveryStageReadsWhatEarlierOnesMake) {
  for (const Scale& scale : Scales()) {
    std::set<std::string> made;
    for (const Stage& stage : MakePlan(Request(scale.name), kMeasures)) {
      for (const std::string& input : stage.inputs) EXPECT_THAT(made, Contains(input));
      EXPECT_TRUE(made.insert(stage.output).second) << stage.output << " is made twice";
    }
  }
}

TEST(Plan, FullHasThreeSeedsAndEveryRival) {
  const std::vector<Stage> stages = MakePlan(Request("full"), kMeasures);
  for (const char* model : {"ours", "ours-2", "ours-3", "vae", "mean_pool", "free_projections",
                            "infonce", "autoencoder", "paper"}) {
    EXPECT_THAT(Find(stages, std::string("models/") + model).words, Not(Contains("--set")));
  }
  EXPECT_THAT(FormatCommand(Find(stages, "models/ours-2").words), EndsWith("--seed 6"));
  EXPECT_EQ(FormatCommand(Find(stages, "population").words),
            "population train --out population --env point-v0 --seed 5");
}

TEST(Plan, MeasuresThatAreNotThereAreLeftOut) {
  std::set<std::string> measures;
  for (const Stage& stage : MakePlan(Request("smoke"), {"probe"})) {
    if (stage.words[0] == "evaluate") measures.insert(stage.words[1]);
  }
  EXPECT_EQ(measures, std::set<std::string>{"probe"});
}

TEST(Plan, ASpecOfOnesOwnIsAnInputOfWhatSimulates) {
  ReproduceRequest request = Request("smoke");
  request.environment = "/robots/mine.toml";
  const std::vector<Stage> stages = MakePlan(request, kMeasures);
  for (const char* output : {"population", "dataset-v0", "models/vae", "models/ours.grounded",
                             "measures/synthesis/ours-mean.json"}) {
    EXPECT_THAT(Find(stages, output).inputs, Contains("/robots/mine.toml"));
    EXPECT_THAT(FormatCommand(Find(stages, output).words), HasSubstr("--env /robots/mine.toml"));
  }
  EXPECT_THAT(Find(stages, "measures/probe/ours.json").words, Not(Contains("--env")));
}

TEST(Plan, AnUnknownScaleIsAnError) {
  EXPECT_EQ(test::ErrorOf([] { MakePlan(Request("smoky"), kMeasures); }),
            "--scale 'smoky' is unknown; did you mean 'smoke'?");
}

template <class Config>
void ExpectSettings(const std::vector<std::string>& settings) {
  Config config;
  for (const std::string& setting : settings) {
    EXPECT_EQ(test::ErrorOf([&] { core::ApplySetting(config, setting); }), "");
  }
}

TEST(Scales, TheirSettingsAreThoseOfTheCommands) {
  for (const Scale& scale : Scales()) {
    ExpectSettings<learn::PopulationConfig>(scale.population);
    ExpectSettings<rollout::CollectConfig>(scale.dataset);
    ExpectSettings<learn::RepresentationConfig>(scale.model);
    ExpectSettings<learn::GroundingConfig>(scale.grounding);
    ExpectSettings<eval::ImitationConfig>(scale.imitation);
    ExpectSettings<eval::SynthesisConfig>(scale.synthesis);
  }
}

}  // namespace
}  // namespace rhumb::cli
