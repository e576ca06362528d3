#include "rhumb/pipeline/reproduce_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "rhumb/core/process/config.h"
#include "rhumb/eval/map/context_size.h"
#include "rhumb/eval/map/control_functional.h"
#include "rhumb/eval/map/geometry.h"
#include "rhumb/eval/map/imitation.h"
#include "rhumb/eval/map/ordering.h"
#include "rhumb/eval/steering/steering_path.h"
#include "rhumb/eval/steering/synthesis.h"
#include "rhumb/ground/grounding_config.h"
#include "rhumb/learn/ppo/population_config.h"
#include "rhumb/learn/representation/representation_config.h"
#include "rhumb/rollout/collector.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/spec.h"
#include "tests/support/error_expectation.h"

namespace rhumb::pipeline {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

ReproduceRequest Request(const std::string& scale) {
  return {.spec = "environment/point-v0.toml",
          .files = {"environment/point-v0.toml", "environment/point_mass.xml"},
          .rewards = "three",
          .objectives = {"x_velocity", "y_velocity", "energy"},
          .attributes = {{"action_rate", "mean(action_rate)", "squared change per step"},
                         {"pitch_std", "std(torso_pitch)", "rad"},
                         {"speed_std", "std(x_velocity)", "m/s"}},
          .scale = scale,
          .device = "cpu",
          .seed = 5,
          .threads = 8,
          .jobs = 4};
}

const Stage& Find(const std::vector<Stage>& stages, const std::string& output) {
  return *std::find_if(stages.begin(), stages.end(),
                       [&](const Stage& stage) { return stage.output == output; });
}

TEST(Plan, EveryStageReadsWhatEarlierOnesMake) {
  for (const Scale& scale : Scales()) {
    std::set<std::string> made = {"environment/point-v0.toml", "environment/point_mass.xml"};
    for (const Stage& stage : MakePlan(Request(scale.name))) {
      for (const std::string& input : stage.inputs) EXPECT_THAT(made, Contains(input));
      EXPECT_TRUE(made.insert(stage.output).second) << stage.output << " is made twice";
    }
  }
}

TEST(Plan, FullHasThreeSeedsAndEveryRival) {
  const std::vector<Stage> stages = MakePlan(Request("full"));
  for (const char* model : {"ours", "vae", "infonce", "autoencoder", "paper"}) {
    EXPECT_THAT(Find(stages, std::string("models/") + model).words, Not(Contains("--set")));
  }
  // Models that only the probe reads are trained without DAgger.
  for (const char* model : {"ours-2", "ours-3", "vae-2", "mean_pool", "mean_pool-3",
                            "free_projections", "free_projections-2"}) {
    EXPECT_THAT(FormatCommand(Find(stages, std::string("models/") + model).words),
                EndsWith("--set dagger.rounds=0"));
  }
  EXPECT_THAT(FormatCommand(Find(stages, "models/ours-2").words), HasSubstr("--seed 6"));
  EXPECT_EQ(FormatCommand(Find(stages, "population").words),
            "population train --env environment/point-v0.toml --rewards three --out population "
            "--seed 5");
}

TEST(Plan, ThreadsAreSharedWhereStagesRunBesideEachOther) {
  ReproduceRequest request = Request("full");
  std::vector<Stage> stages = MakePlan(request);
  EXPECT_EQ(FormatCommand(Find(stages, "population").machine_words), "--threads 8 --device cpu");
  EXPECT_EQ(FormatCommand(Find(stages, "models/vae").machine_words), "--threads 2 --device cpu");
  EXPECT_EQ(FormatCommand(Find(stages, "measures/probe/vae.json").machine_words), "--threads 2");
  request.device = "cuda";  // stages often wait for the GPU
  stages = MakePlan(request);
  EXPECT_EQ(FormatCommand(Find(stages, "models/vae").machine_words), "--threads 4 --device cuda");
  EXPECT_EQ(FormatCommand(Find(stages, "measures/probe/vae.json").machine_words), "--threads 4");
}

TEST(Plan, AttributesAreAddedTogetherAndThenGrounded) {
  const std::vector<Stage> stages = MakePlan(Request("full"));
  EXPECT_EQ(FormatCommand(Find(stages, "models/ours.attributes").words),
            "model add-attribute models/ours --data dataset-v0 --out models/ours.attributes "
            "--name action_rate --expression 'mean(action_rate)' --unit 'squared change per step' "
            "--name pitch_std --expression 'std(torso_pitch)' --unit rad "
            "--name speed_std --expression 'std(x_velocity)' --unit m/s --seed 5");
  const Stage& grounding = Find(stages, "models/ours.grounded");
  EXPECT_EQ(FormatCommand(grounding.words),
            "model ground models/ours.attributes --out models/ours.grounded --seed 5");
  EXPECT_THAT(grounding.inputs, ElementsAre("models/ours.attributes"));
}

TEST(Plan, TasksAreOverObjectivesOrAttributes) {
  const std::vector<Stage> stages = MakePlan(Request("full"));
  EXPECT_EQ(FormatCommand(Find(stages, "measures/synthesis/ours-mean.json").words),
            "evaluate synthesis models/ours.grounded --data dataset-v0 --json --mode mean --method "
            "default,paper,naive,still,lookup,nearest_label,imitate,teacher --seed 5 --set "
            "tasks.over=y_velocity,energy --population population");
  EXPECT_EQ(FormatCommand(Find(stages, "measures/constraints/2-sampled.json").words),
            "evaluate synthesis models/ours.grounded --data dataset-v0 --json --mode sampled "
            "--method default,still,lookup,naive,teacher --seed 5 --set "
            "tasks.over=action_rate,pitch_std,speed_std --set tasks.requirements=2 "
            "--population population");
  EXPECT_EQ(FormatCommand(Find(stages, "measures/hole/mean.json").words),
            "evaluate synthesis models/hole.grounded --data dataset-hole-v0 --json --mode mean "
            "--method default,still,lookup,naive,teacher --seed 5 --set "
            "tasks.over=y_velocity,energy --set tasks.split=hole --population population");
  EXPECT_THAT(FormatCommand(Find(stages, "dataset-hole-v0").words),
              EndsWith("--set split.hole=0.1"));
}

TEST(Plan, FullMeasuresTheMapAsAWhole) {
  const std::vector<Stage> stages = MakePlan(Request("full"));
  EXPECT_EQ(FormatCommand(Find(stages, "measures/between/mean.json").words),
            "evaluate between models/ours.grounded --json --mode mean --seed 5 --set "
            "methods=default,still,tries");
  const Stage& front = Find(stages, "measures/front/sampled.json");
  EXPECT_EQ(FormatCommand(front.words),
            "evaluate front models/ours.grounded --json --mode sampled --population population "
            "--seed 5");
  EXPECT_THAT(front.inputs, ElementsAre("models/ours.grounded", "population"));
  EXPECT_EQ(FormatCommand(Find(stages, "measures/switch/mean.json").words),
            "evaluate switch models/ours.grounded --json --mode mean --seed 5");
}

TEST(Plan, OnlyThePopulationNamesTheRobot) {
  for (const Stage& stage : MakePlan(Request("smoke"))) {
    const bool is_first = stage.output == "population";
    EXPECT_EQ(FormatCommand(stage.words).find("--env") != std::string::npos, is_first);
    EXPECT_EQ(FormatCommand(stage.inputs).find("environment/") != std::string::npos, is_first);
  }
}

TEST(Plan, AttributesComeFromTheSpec) {
  sim::EnvironmentSpec spec;
  EXPECT_EQ(AttributesOf(spec).front().name, "action_rate");
  spec.attributes = {{"pitch_std", "std(torso_pitch)", "rad"}};
  ASSERT_EQ(AttributesOf(spec).size(), 1u);
  EXPECT_EQ(AttributesOf(spec).front().expression, "std(torso_pitch)");
}

TEST(Plan, AnUnknownScaleIsAnError) {
  EXPECT_EQ(test::ErrorOf([] { MakePlan(Request("smoky")); }),
            "unknown scale 'smoky'; did you mean 'smoke'?");
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
    ExpectSettings<learn::ppo::PopulationConfig>(scale.population);
    ExpectSettings<rollout::CollectConfig>(scale.dataset);
    ExpectSettings<learn::representation::RepresentationConfig>(scale.model);
    ExpectSettings<ground::GroundingConfig>(scale.grounding);
    ExpectSettings<eval::ImitationConfig>(scale.imitation);
    ExpectSettings<eval::SynthesisConfig>(scale.synthesis);
    ExpectSettings<eval::GeometryConfig>(scale.geometry);
    ExpectSettings<eval::PathConfig>(scale.paths);
    ExpectSettings<eval::OrderingConfig>(scale.ordering);
    ExpectSettings<eval::ContextSizeConfig>(scale.context);
    ExpectSettings<eval::ControlFunctionalConfig>(scale.control_functional);
  }
}

// A robot's spec may name roots and children; small scales have few agents whatever it names.
TEST(Scales, SmallOnesHaveFewAgentsForAnyRobot) {
  int listed = 0;
  for (const core::EnvironmentBundle& bundle : sim::ListBundled()) {
    const sim::EnvironmentSpec spec = sim::ParseSpec(bundle.files, bundle.spec);
    for (const Scale& scale : Scales()) {
      learn::ppo::PopulationConfig config;
      for (const std::string& setting : spec.SettingsOf("default", "population")) {
        core::ApplySetting(config, setting);
      }
      listed += config.list.empty() ? 0 : 1;
      if (scale.name == "full") continue;
      for (const std::string& setting : scale.population) core::ApplySetting(config, setting);
      EXPECT_EQ(config.weights, learn::ppo::WeightSource::kAuto) << spec.id << ", " << scale.name;
      EXPECT_EQ(config.children, 0) << spec.id << ", " << scale.name;
      EXPECT_TRUE(config.child_list.empty()) << spec.id << ", " << scale.name;
      EXPECT_LE(config.count, 6) << spec.id << ", " << scale.name;
    }
  }
  EXPECT_GT(listed, 0) << "no spec has a list any more, so this test says nothing";
}

}  // namespace
}  // namespace rhumb::pipeline
