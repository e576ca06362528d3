#include "rhumb/eval/map/geometry.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/data/sample_dataset.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using data::Split;
using nlohmann::json;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// A cross: the squares along the axes are 2 * 3^2 and 2 * 1^2.
TEST(Geometry, VarianceByHand) {
  const std::vector<float> cross = {10, 5, 4, 5, 7, 6, 7, 4};
  const VarianceShares variance = MeasureVariance(cross, 2);
  ASSERT_EQ(variance.shares.size(), 2u);
  EXPECT_NEAR(variance.shares[0], 0.9, 1e-15);
  EXPECT_NEAR(variance.shares[1], 0.1, 1e-15);
  EXPECT_EQ(variance.dimension, 2) << "the first holds less than 95 %";

  const std::vector<float> line = {0, 0, 1, 2, 3, 6};
  EXPECT_EQ(MeasureVariance(line, 2).dimension, 1);
  const VarianceShares none = MeasureVariance(std::vector<float>{3, 4, 3, 4}, 2);
  EXPECT_THAT(none.shares, Each(0));
  EXPECT_EQ(none.dimension, 0);
}

// Policies of one episode each, with the constant action (p, q), which is also the code.
struct Trained {
  float p = 0, q = 0;
  Split split = Split::kTrain;
};

class GeometryTest : public testing::Test {
 protected:
  GeometryTest() {
    // forward sees twice the first number; energy sees the second and the sum.
    model_.projections = {.labels = 2,
                          .code_size = 2,
                          .size = 2,
                          .weights = {2, 0, 0, 0, 0, 1, 1, 1},
                          .bias = {7, 0, 0, 0}};
    data::DatasetWriter writer(scratch_.path() / "d", data::SampleDescription());
    const std::vector<Trained> behaviours = {{0.25F, 0, Split::kTrain},
                                             {0, 0.5F, Split::kHeldOutWeight},
                                             {0.375F, 0.5F, Split::kHeldOutCheckpoint}};
    for (int i = 0; i < 3; ++i) {
      writer.AddPolicy(data::SamplePolicy(i, 5));
      data::Episode episode = data::SampleEpisode(i, 40, 0);
      for (std::size_t t = 0; t < 40; ++t) {
        // In the environment's units, where the first action ranges from -0.5 to 0.5.
        episode.actions[2 * t] = behaviours[static_cast<std::size_t>(i)].p / 2;
        episode.actions[2 * t + 1] = behaviours[static_cast<std::size_t>(i)].q;
      }
      episode.returns = {100.125 * i, -i / 3.0};
      writer.Append(episode);
    }
    for (std::size_t i = 0; i < 3; ++i) writer.policies()[i].split = behaviours[i].split;
    writer.policies()[2].weights.clear();
    writer.Commit({{"seed", 0}});
  }

  GeometryReport Measure(std::uint64_t seed = 1, int threads = 1) const {
    return MeasureGeometry(model_, data::Dataset::Open(scratch_.path() / "d"), config_, seed,
                           threads);
  }

  const test::ScratchFolder scratch_;
  net::Model model_ = rollout::EchoModel(data::SampleDescription(), 0);
  GeometryConfig config_;
};

TEST_F(GeometryTest, ThreeContextsByHand) {
  const GeometryReport report = Measure();
  EXPECT_THAT(report.codes, ElementsAre(0.25F, 0, 0, 0.5F, 0.375F, 0.5F));
  // Norms 0.25, 0.5 and 0.625.
  EXPECT_DOUBLE_EQ(report.norm.mean, 1.375 / 3);
  EXPECT_DOUBLE_EQ(report.norm.q10, 0.3);
  EXPECT_DOUBLE_EQ(report.norm.q90, 0.6);

  const json document = ToJson(report, model_);
  EXPECT_EQ(document["objectives"].dump(),
            R"([{"name":"forward","unit":"m"},{"name":"energy","unit":""}])");
  EXPECT_EQ(document["splits"][2], "held_out_weight");
  const json& contexts = document["contexts"];
  EXPECT_EQ(contexts["split"].dump(), "[0,2,1]");
  EXPECT_EQ(contexts["labels"].dump(), "[[0.0,0.0],[100.12,-0.33333],[200.25,-0.66667]]");
  EXPECT_EQ(contexts["weights"].dump(), "[[1.0,0.0],[0.9,0.1],[]]");
  EXPECT_EQ(contexts["codes"].dump(), "[[0.25,0.0],[0.0,0.5],[0.375,0.5]]");
  EXPECT_EQ(contexts["projections"].dump(),
            "[[[7.5,0.0],[7.0,0.0],[7.75,0.0]],[[0.0,0.25],[0.5,0.5],[0.5,0.875]]]");
  EXPECT_EQ(document["norm"]["mean"], 0.45833);
  EXPECT_EQ(document["dimension"], 2);
}

TEST_F(GeometryTest, NoneMoreThanAskedFor) {
  config_.contexts = 2;
  const GeometryReport report = Measure();
  EXPECT_EQ(report.splits.size(), 2u);
  EXPECT_EQ(report.codes.size(), 4u);
  EXPECT_EQ(ToJson(Measure(1, 3), model_), ToJson(report, model_)) << "threads change no number";
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 12; ++seed) {
    differs = differs || Measure(seed).splits != report.splits;
  }
  EXPECT_TRUE(differs) << "the seed draws them: ten times the same two of three is 1 in 59049";
}

TEST_F(GeometryTest, NoProjectionsNoKey) {
  model_.projections = {};
  EXPECT_FALSE(ToJson(Measure(), model_)["contexts"].contains("projections"));
}

TEST_F(GeometryTest, AnotherEnvironmentIsAnError) {
  model_.description.environment.id = "other-v0";
  EXPECT_THAT(test::ErrorOf([&] { Measure(); }), HasSubstr("other-v0"));
}

}  // namespace
}  // namespace rhumb::eval
