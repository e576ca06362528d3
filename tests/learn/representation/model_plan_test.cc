#include "rhumb/learn/representation/model_plan.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::representation {
namespace {

using test::ErrorOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Episodes of 40 steps; the objective energy is minus forward.
struct Recordings {
  std::vector<double> forward = {1, 2, 6};  // returns of the training episodes
  bool policy_outputs = true;
};

class ModelPlanTest : public testing::Test {
 protected:
  // Two more episodes are held out, with very different returns.
  data::Dataset Write(const Recordings& recordings = {}) {
    data::DatasetDescription description = data::SampleDescription();
    description.policy_outputs = recordings.policy_outputs;
    const auto folder = scratch_.path() / ("data" + std::to_string(++written_));
    data::DatasetWriter writer(folder, description);
    std::vector<double> forward = {1000};
    forward.insert(forward.end(), recordings.forward.begin(), recordings.forward.end());
    forward.push_back(-1000);
    for (std::size_t i = 0; i < forward.size(); ++i) {
      const int policy = writer.AddPolicy(data::SamplePolicy(static_cast<int>(i % 10), 5));
      data::Episode episode = data::SampleEpisode(policy, 40, static_cast<float>(i));
      episode.returns = {forward[i], -forward[i]};
      if (!recordings.policy_outputs) {
        episode.raw_actions.clear();
        episode.action_means.clear();
        episode.action_stds.clear();
      }
      writer.Append(episode);
    }
    writer.policies().front().split = data::Split::kHeldOutCheckpoint;
    writer.policies().back().split = data::Split::kHeldOutWeight;
    writer.Commit({{"seed", 1}});
    return data::Dataset::Open(folder);
  }

  static std::string ErrorOfPlan(const data::Dataset& dataset, const RepresentationConfig& config) {
    return ErrorOf([&] { PlanModel(dataset, config); });
  }
  static std::string ErrorOfLabels(const data::Dataset& dataset, std::vector<std::string> labels) {
    RepresentationConfig config;
    config.labels = std::move(labels);
    return ErrorOfPlan(dataset, config);
  }

 private:
  const test::ScratchFolder scratch_;
  int written_ = 0;
};

// Forward returns of 1, 2 and 6: mean 3, variance (4 + 1 + 9) / 3. Held-out episodes do not count.
TEST_F(ModelPlanTest, LabelsAreMeasuredByHand) {
  const data::Dataset dataset = Write();
  const ModelPlan plan = PlanModel(dataset, {});
  EXPECT_THAT(plan.episodes, ElementsAre(1, 2, 3));
  EXPECT_THAT(plan.labels, ElementsAre(1, -1, 2, -2, 6, -6));
  ASSERT_EQ(plan.description.objectives.size(), 2u);
  const net::ModelObjective& forward = plan.description.objectives[0];
  EXPECT_EQ(forward.name, "forward");
  EXPECT_EQ(forward.unit, "m");
  EXPECT_EQ(forward.expression, "");
  EXPECT_DOUBLE_EQ(forward.mean, 3);
  EXPECT_DOUBLE_EQ(forward.std, std::sqrt(14.0 / 3));
  EXPECT_EQ(forward.min, 1);
  EXPECT_EQ(forward.max, 6);
  const net::ModelObjective& energy = plan.description.objectives[1];
  EXPECT_EQ(energy.name, "energy");
  EXPECT_DOUBLE_EQ(energy.mean, -3);
  EXPECT_EQ(energy.min, -6);
  EXPECT_EQ(energy.max, -1);
}

TEST_F(ModelPlanTest, DescribesTheModel) {
  const data::Dataset dataset = Write();
  RepresentationConfig config;
  config.variant = Variant::kVae;
  config.context = 16;
  const ModelPlan plan = PlanModel(dataset, config);
  EXPECT_EQ(plan.description.variant, "vae");
  EXPECT_EQ(plan.description.environment.id, "sample-v0");
  EXPECT_EQ(plan.description.environment.rewards, "upstream");
  EXPECT_EQ(plan.description.environment.hash(), dataset.description().environment.hash());
  EXPECT_EQ(plan.description.time_limit, 100);
  EXPECT_EQ(plan.description.context, 16);
  EXPECT_EQ(plan.description.shaping_labels, 2);
  EXPECT_EQ(plan.shape.observations, 3);
  EXPECT_EQ(plan.shape.actions, 2);
  EXPECT_EQ(plan.shape.labels, 2);
  EXPECT_EQ(plan.scaling.observations.mean.size(), 3u);
  EXPECT_THAT(plan.scaling.action_half_range, ElementsAre(0.5f, 1));
}

// Episode i has the heights 9000 + i, 9002 + i, …, so the mean over its 40 steps is 9039 + i.
TEST_F(ModelPlanTest, LabelsAreChosenInTheirOrder) {
  RepresentationConfig config;
  config.labels = {"energy", "mean(height)"};
  const ModelPlan plan = PlanModel(Write(), config);
  EXPECT_THAT(plan.labels, ElementsAre(-1, 9040, -2, 9041, -6, 9042));
  EXPECT_EQ(plan.shape.labels, 2);
  EXPECT_EQ(plan.description.shaping_labels, 2);
  ASSERT_EQ(plan.description.objectives.size(), 2u);
  EXPECT_EQ(plan.description.objectives[0].name, "energy");
  EXPECT_EQ(plan.description.objectives[0].expression, "");
  const net::ModelObjective& height = plan.description.objectives[1];
  EXPECT_EQ(height.name, "mean(height)");
  EXPECT_EQ(height.expression, "mean(height)");
  EXPECT_EQ(height.unit, "");
  EXPECT_DOUBLE_EQ(height.mean, 9041);
  EXPECT_DOUBLE_EQ(height.std, std::sqrt(2.0 / 3));
}

TEST_F(ModelPlanTest, UnknownLabelsAreErrors) {
  const data::Dataset dataset = Write();
  EXPECT_THAT(ErrorOfLabels(dataset, {"forwrd"}),
              AllOf(HasSubstr("'forwrd'"), HasSubstr("'forward'"), HasSubstr("mean(x_velocity)")));
  EXPECT_THAT(ErrorOfLabels(dataset, {"forward", "energy", "forward"}),
              HasSubstr("'forward' is listed twice"));
  EXPECT_THAT(ErrorOfLabels(dataset, {"mean(hight)"}),
              AllOf(HasSubstr("mean(hight)"), HasSubstr("'height'")));
  EXPECT_THAT(ErrorOfLabels(dataset, {"median(height)"}), HasSubstr("median(height)"));
}

TEST_F(ModelPlanTest, ALabelThatIsNotFiniteIsAnError) {
  EXPECT_THAT(ErrorOfLabels(Write(), {"forward", "mean(ln(0 - height))"}),
              AllOf(HasSubstr("mean(ln(0 - height))"), HasSubstr("finite")));
}

TEST_F(ModelPlanTest, ALabelThatNeverVariesIsAnError) {
  EXPECT_THAT(
      ErrorOfLabels(Write({.forward = {2, 2, 2}}), {}),
      AllOf(HasSubstr("label 'forward' is 2 in every training episode"), HasSubstr("data1")));
  EXPECT_THAT(ErrorOfLabels(Write(), {"forward", "mean(7 + 0 * height)"}),
              HasSubstr("'mean(7 + 0 * height)' is 7"));
  // In floating point the mean of three times 0.1 differs from 0.1.
  EXPECT_THAT(ErrorOfLabels(Write({.forward = {0.1, 0.1, 0.1}}), {}), HasSubstr("every training"));
  EXPECT_EQ(ErrorOfLabels(Write({.forward = {0.1, 0.1, 0.1001}}), {}), "");
}

TEST_F(ModelPlanTest, TooFewEpisodesAreAnError) {
  EXPECT_THAT(ErrorOfPlan(Write({.forward = {1}}), {}),
              AllOf(HasSubstr("data1"), HasSubstr("1 training episodes")));
  EXPECT_EQ(ErrorOfPlan(Write({.forward = {1, 2}}), {}), "");
}

TEST_F(ModelPlanTest, AnEpisodeShorterThanTheContextIsAnError) {
  const data::Dataset dataset = Write();
  RepresentationConfig config;
  config.context = 41;
  EXPECT_THAT(ErrorOfPlan(dataset, config),
              AllOf(HasSubstr("episode 1 has 40 steps"), HasSubstr("41 pairs")));
  config.context = 40;
  EXPECT_EQ(ErrorOfPlan(dataset, config), "");
}

TEST_F(ModelPlanTest, TeachersWhereTheDatasetHasThem) {
  const data::Dataset with = Write(), without = Write({.policy_outputs = false});
  const auto kind = [](const data::Dataset& dataset, const char* reconstruction) {
    RepresentationConfig config;
    config.reconstruction = kReconstructionLossNames.Parse(reconstruction);
    return PlanModel(dataset, config).target_kind;
  };
  EXPECT_EQ(kind(with, "auto"), TargetKind::kTeacher);
  EXPECT_EQ(kind(with, "kl"), TargetKind::kTeacher);
  EXPECT_EQ(kind(with, "split_kl"), TargetKind::kTeacher);
  EXPECT_EQ(kind(with, "nll"), TargetKind::kActions);
  EXPECT_EQ(kind(without, "auto"), TargetKind::kActions);
  EXPECT_EQ(kind(without, "nll"), TargetKind::kActions);
  EXPECT_THAT(ErrorOf([&] { kind(without, "kl"); }),
              AllOf(HasSubstr("data2"), HasSubstr("reconstruction=nll")));
  EXPECT_THAT(ErrorOf([&] { kind(without, "split_kl"); }), HasSubstr("reconstruction=split_kl"));
}

}  // namespace
}  // namespace rhumb::learn::representation
