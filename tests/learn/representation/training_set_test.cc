#include "rhumb/learn/representation/training_set.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::representation {
namespace {

using test::ErrorOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<float> ToVector(const torch::Tensor& values) {
  const torch::Tensor flat = values.contiguous().to(torch::kFloat32);
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

std::vector<std::int64_t> ToIntegers(const torch::Tensor& values) {
  const torch::Tensor flat = values.contiguous();
  return {flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel()};
}

// u = 0 picks the first row of a stretch, the largest u below 1 the last, and u = 1/4 the second of
// four rows.
TEST(Stretches, PickByHand) {
  const Stretches stretches{torch::tensor({10, 100, 200}, torch::kInt64),
                            torch::tensor({4.0f, 1.0f, 3.0f})};
  const float last = std::nextafter(1.0f, 0.0f);
  const torch::Tensor which = torch::tensor({1, 0, 0, 2}, torch::kInt64);
  const torch::Tensor uniform =
      torch::tensor({0.0f, last, 0.0f, last, 0.25f, 0.2499f, 0.34f, 0.33f}).view({4, 2});
  EXPECT_THAT(ToIntegers(stretches.Pick(which, uniform)),
              ElementsAre(100, 100, 10, 13, 11, 10, 201, 200));
}

// The largest u, for lengths up to 2^24, the last exact one.
TEST(Stretches, PickStaysWithin) {
  const torch::Tensor u = torch::full({1, 1}, std::nextafter(1.0f, 0.0f));
  for (const std::int64_t length : {1, 2, 3, 999, 1000, 1001, 65'537, 16'777'215, 16'777'216}) {
    const Stretches one{torch::zeros({1}, torch::kInt64),
                        torch::full({1}, static_cast<float>(length))};
    EXPECT_EQ(one.Pick(torch::zeros({1}, torch::kInt64), u).item<std::int64_t>(), length - 1);
  }
}

// Standard deviations of 1/2 and 1 allow means up to 2 and 3.
TEST(TrainingSet, TeacherMeansAreClampedByHand) {
  const torch::Tensor means = torch::tensor({5.0f, -5.0f, 1.75f, 5.0f, -2.5f, -3.5f});
  const torch::Tensor deviations = torch::tensor({0.5f, 0.5f, 0.5f, 1.0f, 1.0f, 1.0f});
  // e^(log 0.5) equals 0.5 up to rounding.
  EXPECT_TRUE(torch::allclose(ClampTeacherMean(means, deviations.log()),
                              torch::tensor({2.0f, -2.0f, 1.75f, 3.0f, -2.5f, -3.0f}), 0, 1e-6));
}

// Actions from (-0.5, -1) to (0.5, 3); four episodes of 3, 2, 2 and 4 steps, the third held out.
class TrainingSetTest : public testing::Test {
 protected:
  TrainingSetTest() : data_(Write("data", 0.5f)) {}

  data::Dataset Write(const std::string& name, float deviation, bool policy_outputs = true) const {
    data::DatasetDescription description = data::SampleDescription();
    description.action_high = {0.5, 3};
    description.policy_outputs = policy_outputs;
    data::DatasetWriter writer(scratch_.path() / name, description, {.min_episode_steps = 1});
    const std::vector<int> steps = {3, 2, 2, 4};
    for (int i = 0; i < 4; ++i) {
      writer.AddPolicy(data::SamplePolicy(i, 5));
      data::Episode episode =
          data::SampleEpisode(i, steps[static_cast<std::size_t>(i)], 0.25f * static_cast<float>(i));
      for (std::size_t t = 0; t < episode.terminations.size(); ++t) {
        episode.actions[2 * t] = 0.125f * static_cast<float>(i);        // -> i / 4
        episode.actions[2 * t + 1] = 1 - 0.5f * static_cast<float>(t);  // -> -t / 4
        episode.action_means[2 * t] = 10 * static_cast<float>(t) - 5;   // -5, 5, 15, ...
        episode.action_means[2 * t + 1] = 0.125f * static_cast<float>(i);
      }
      episode.action_stds = {deviation, 0.25f};
      if (!policy_outputs) {
        episode.raw_actions.clear();
        episode.action_means.clear();
        episode.action_stds.clear();
      }
      writer.Append(episode);
    }
    writer.policies()[2].split = data::Split::kHeldOutWeight;
    writer.Commit({{"seed", 1}});
    return data::Dataset::Open(scratch_.path() / name);
  }

  TrainingSet Load(const data::Dataset& dataset, TargetKind kind) const {
    return LoadTrainingSet(dataset, dataset.EpisodesOf(data::Split::kTrain), labels_,
                           ScalingOf(dataset.index()), kind, torch::kCPU);
  }

  const test::ScratchFolder scratch_;
  const data::Dataset data_;
  const std::vector<double> labels_ = {1.25, -1, 2.5, -2, 1e-300, 1e300};
};

TEST_F(TrainingSetTest, ScalingIsTheDatasets) {
  const InputScaling scaling = ScalingOf(data_.index());
  const data::Normalisation& from = data_.index().normalisation;
  EXPECT_EQ(scaling.observations.limit, 10);
  ASSERT_EQ(scaling.observations.mean.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FLOAT_EQ(scaling.observations.mean[i], static_cast<float>(from.observation_mean[i]));
    EXPECT_FLOAT_EQ(scaling.observations.inverse_scale[i],
                    static_cast<float>(1 / (from.observation_std[i] + 0.01)));
  }
  EXPECT_THAT(scaling.action_centre, ElementsAre(0, 1));
  EXPECT_THAT(scaling.action_half_range, ElementsAre(0.5f, 2));

  data::DatasetIndex narrow = data_.index();
  narrow.description.action_high[1] = -1;
  EXPECT_THAT(ErrorOf([&] { ScalingOf(narrow); }), HasSubstr("action 1 has the range -1 to -1"));
}

TEST(Scaling, LeavesOutWhatIsUnseen) {
  data::DatasetIndex index;
  index.description.unseen = {1, 2};
  index.normalisation.observation_mean = {0, 0, 0, 0};
  index.normalisation.observation_std = {1, 1, 1, 1};
  EXPECT_THAT(ScalingOf(index).observations.inverse_scale,
              ElementsAre(1 / 1.01f, net::kUnseenScale, net::kUnseenScale, 1 / 1.01f));
}

TEST_F(TrainingSetTest, RowsByHand) {
  const TrainingSet set = Load(data_, TargetKind::kTeacher);
  EXPECT_EQ(set.episode_count(), 3);
  EXPECT_THAT(ToIntegers(set.episodes.starts), ElementsAre(0, 3, 5));
  EXPECT_THAT(ToVector(set.episodes.lengths), ElementsAre(3, 2, 4));
  EXPECT_THAT(set.policies, ElementsAre(0, 1, 3));
  EXPECT_EQ(set.labels.sizes(), (torch::IntArrayRef{3, 2}));
  EXPECT_EQ(set.labels.scalar_type(), torch::kFloat64);
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    EXPECT_EQ(set.labels.data_ptr<double>()[i], labels_[i]);
  }

  ASSERT_EQ(set.actions.sizes(), (torch::IntArrayRef{9, 2}));
  EXPECT_THAT(ToVector(set.actions),
              ElementsAre(0, 0, 0, -0.25f, 0, -0.5f,  // policy 0
                          0.25f, 0, 0.25f, -0.25f,    // policy 1
                          0.75f, 0, 0.75f, -0.25f, 0.75f, -0.5f, 0.75f, -0.75f));
  // Standard deviations of 0.5 allow a mean up to 2.
  const torch::Tensor expected =
      torch::tensor({-2.0f, 0.0f, 2.0f, 0.0f, 2.0f, 0.0f, -2.0f, 0.125f, 2.0f, 0.125f, -2.0f,
                     0.375f, 2.0f, 0.375f, 2.0f, 0.375f, 2.0f, 0.375f})
          .view({9, 2});
  EXPECT_TRUE(torch::allclose(set.targets.means, expected, 0, 1e-6)) << set.targets.means;
  const torch::Tensor log_deviations = torch::tensor({0.5f, 0.25f}).log().expand({9, 2});
  EXPECT_TRUE(torch::equal(set.targets.log_deviations, log_deviations));
}

// The networks' inputs in training equal those in net, to the bit.
TEST_F(TrainingSetTest, StatesAreThoseOfTheNormaliser) {
  const TrainingSet set = Load(data_, TargetKind::kTeacher);
  const net::Normaliser normaliser = ScalingOf(data_.index()).observations;
  std::vector<float> expected;
  data::Episode episode;
  for (const std::int64_t number : data_.EpisodesOf(data::Split::kTrain)) {
    data_.ReadEpisode(number, episode);
    std::vector<float> rows(static_cast<std::size_t>(3 * episode.steps()));
    normaliser.Apply(episode.observations.data(), static_cast<int>(episode.steps()), rows.data());
    expected.insert(expected.end(), rows.begin(), rows.end());
  }
  EXPECT_EQ(ToVector(set.targets.states), expected);
  EXPECT_GT(set.targets.states.max().item<float>(), 0.5f);
}

// A distant state is clamped to the limit, an action beyond its range to the range.
TEST_F(TrainingSetTest, WhatIsFarOffIsClamped) {
  InputScaling scaling = ScalingOf(data_.index());
  scaling.observations.mean.assign(3, -1000);
  scaling.observations.inverse_scale.assign(3, 1);
  scaling.action_centre = {1, 1};
  scaling.action_half_range = {0.1f, 0.1f};
  const TrainingSet set = LoadTrainingSet(data_, data_.EpisodesOf(data::Split::kTrain), labels_,
                                          scaling, TargetKind::kActions, torch::kCPU);
  EXPECT_TRUE((set.targets.states == 10).all().item<bool>());
  EXPECT_TRUE((set.actions.select(1, 0) == -1).all().item<bool>());
}

TEST_F(TrainingSetTest, ActionsAsTargets) {
  for (const bool policy_outputs : {true, false}) {
    const data::Dataset dataset = Write(policy_outputs ? "with" : "without", 0.5f, policy_outputs);
    const TrainingSet set = Load(dataset, TargetKind::kActions);
    EXPECT_TRUE(torch::equal(set.targets.means, set.actions));
    EXPECT_FALSE(set.targets.log_deviations.defined());
  }
}

TEST_F(TrainingSetTest, ADeviationOfZeroIsAnError) {
  const data::Dataset still = Write("still", 0);
  EXPECT_THAT(ErrorOf([&] { Load(still, TargetKind::kTeacher); }),
              HasSubstr("deviation is not above 0"));
  EXPECT_EQ(ErrorOf([&] { Load(still, TargetKind::kActions); }), "");
}

}  // namespace
}  // namespace rhumb::learn::representation
