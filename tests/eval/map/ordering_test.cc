#include "rhumb/eval/map/ordering.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/data/sample_dataset.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using data::Split;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

// Five points on a line.
TEST(Ordering, ScoreByHand) {
  const std::vector<float> points = {0, 1, 3, -1, 0.5F};
  const std::vector<double> labels = {0, 2, 10, 1, -20};
  const std::vector<Triple> triples = {
      {0, 1, 2},   // labels 2 and 10 away, points 1 and 3: margin 2
      {1, 2, 0},   // labels 8 and 2 away, points 2 and 1: margin 1
      {0, 3, 1},   // labels 1 and 2 away, points 1 and 1: margin 0
      {3, 0, 1},   // labels 1 and 1 away: a tie, with points 1 and 2 away
      {0, 4, 1}};  // labels 20 and 2 away, points 0.5 and 1: margin -0.5
  const std::vector<double> deltas = {0.5, 1, 2, 100};
  const OrderingScore score = ScoreOrdering(triples, points, 1, labels, deltas);
  EXPECT_EQ(score.triples, 5);
  EXPECT_EQ(score.ties, 1);
  EXPECT_EQ(score.share, 0.5) << "a margin of 0 is not above it";
  EXPECT_DOUBLE_EQ(score.margin.mean, 2.5 / 4);
  EXPECT_DOUBLE_EQ(score.margin.q10, -0.35);
  EXPECT_DOUBLE_EQ(score.margin.q25, -0.125);
  EXPECT_DOUBLE_EQ(score.margin.median, 0.5);
  EXPECT_DOUBLE_EQ(score.margin.q75, 1.25);
  EXPECT_DOUBLE_EQ(score.margin.q90, 1.7);
  // Margins above 2, 1, 0.5 and 0.01; the tie's difference of 1 is below the deltas 2 and 100.
  EXPECT_THAT(score.strict, ElementsAre(0, 0.2, 0.6, 0.6));
}

TEST(Ordering, DistancesAreEuclidean) {
  const std::vector<float> points = {0, 0, 3, 4, 0, 6};
  const std::vector<double> labels = {0, 1, 2};
  const std::vector<Triple> triples = {{0, 1, 2}};
  EXPECT_DOUBLE_EQ(ScoreOrdering(triples, points, 2, labels, {}).margin.mean, 1) << "6 - 5";
}

TEST(Ordering, TiesAloneHaveNoShare) {
  const std::vector<float> points = {0, 1, 2};
  const std::vector<double> labels = {0, 3, 3};
  const std::vector<Triple> triples = {{0, 1, 2}};
  const std::vector<double> deltas = {1, 2};
  const OrderingScore score = ScoreOrdering(triples, points, 1, labels, deltas);
  EXPECT_EQ(score.ties, 1);
  EXPECT_THAT(score.share, IsNan());
  EXPECT_THAT(score.margin.median, IsNan());
  EXPECT_THAT(score.strict, ElementsAre(0, 1));
}

TEST(Ordering, TriplesAreDifferentAndUniform) {
  core::Stream noise(1, core::Purpose::kContext);
  std::map<Triple, int> counts;
  for (const Triple& triple : DrawTriples(4, 24'000, noise)) ++counts[triple];
  ASSERT_EQ(counts.size(), 24u) << "4 * 3 * 2";
  for (const auto& [triple, count] : counts) {
    EXPECT_TRUE(triple[0] != triple[1] && triple[0] != triple[2] && triple[1] != triple[2]);
    EXPECT_NEAR(count, 1000, 160) << "5 standard deviations";
  }
}

// Policies of one episode each, with a constant action.
struct Behaviour {
  float action = 0;
  double forward = 0, energy = 0;
  Split split = Split::kTrain;
};

class OrderingTest : public testing::Test {
 protected:
  OrderingTest() {
    // Codes are (0, action). forward sees twice the action; energy does not see it.
    model_.projections = {
        .labels = 2, .code_size = 2, .size = 1, .weights = {0, 2, 1, 0}, .bias = {7, 0}};
    config_.triples = 6000;
  }

  OrderingReport Measure(const std::vector<Behaviour>& behaviours, int threads = 1) {
    if (!dataset_) {
      Write(behaviours);
      dataset_.emplace(data::Dataset::Open(scratch_.path() / "d"));
    }
    return MeasureOrdering(model_, *dataset_, config_, seed_, threads);
  }

  void Write(const std::vector<Behaviour>& behaviours) {
    data::DatasetWriter writer(scratch_.path() / "d", data::SampleDescription());
    for (std::size_t i = 0; i < behaviours.size(); ++i) {
      writer.AddPolicy(data::SamplePolicy(static_cast<int>(i), 5));
      data::Episode episode = data::SampleEpisode(static_cast<int>(i), 40, 0);
      for (std::size_t t = 0; t < 40; ++t) {
        episode.actions[2 * t] = 0;
        episode.actions[2 * t + 1] = behaviours[i].action;
      }
      episode.returns = {behaviours[i].forward, behaviours[i].energy};
      writer.Append(episode);
    }
    for (std::size_t i = 0; i < behaviours.size(); ++i) {
      writer.policies()[i].split = behaviours[i].split;
    }
    writer.Commit({{"seed", 0}});
  }

  const test::ScratchFolder scratch_;
  net::Model model_ = rollout::EchoModel(data::SampleDescription(), 0);
  OrderingConfig config_;
  std::uint64_t seed_ = 1;
  std::optional<data::Dataset> dataset_;
};

// Three actions make three triples, in either order. By action the margins are 0.5 at the anchors 0
// and -1, and 1 at 0.5. energy puts -1 next to 0 and to 0.5, so only the anchor -1 is in order.
const std::vector<Behaviour> kThree = {
    {0, 100, 0},
    {0.5F, 105, 3},
    {-1, 90, 1},
    {0.25F, 0, 0, Split::kHeldOutCheckpoint},
    {0.75F, 0, 0, Split::kHeldOutCheckpoint},
};

TEST_F(OrderingTest, SharesOfThreeEpisodesByHand) {
  const OrderingReport report = Measure(kThree);
  EXPECT_THAT(report.labels, ElementsAre("forward", "energy"));
  ASSERT_TRUE(report.splits.contains(Split::kTrain));
  EXPECT_EQ(report.splits.size(), 1u) << "the others have two episodes or none";
  EXPECT_EQ(report.splits.at(Split::kTrain).episodes, 3);

  const LabelOrdering& forward = report.splits.at(Split::kTrain).labels[0];
  EXPECT_EQ(forward.h.triples, 6000);
  EXPECT_EQ(forward.h.share, 1);
  EXPECT_EQ(forward.h.margin.q10, 0.5);
  EXPECT_EQ(forward.h.margin.q90, 1);
  // 6000 margins with standard deviation 0.24: 5 standard errors.
  EXPECT_NEAR(forward.h.margin.mean, 2.0 / 3, 0.016);
  EXPECT_EQ(forward.z.share, 1);
  EXPECT_DOUBLE_EQ(forward.z.margin.mean, 2 * forward.h.margin.mean);

  const LabelOrdering& energy = report.splits.at(Split::kTrain).labels[1];
  EXPECT_NEAR(energy.h.share, 1.0 / 3, 0.03) << "5 standard errors";
  EXPECT_EQ(energy.z.share, 0) << "all points are one";
  EXPECT_EQ(energy.z.margin.q90, 0);

  const nlohmann::json document = ToJson(report);
  EXPECT_EQ(document["splits"].size(), 1u);
  const nlohmann::json& z = document["splits"]["train"]["ordering"]["forward"]["z"];
  EXPECT_EQ(z["share"], 1);
  EXPECT_EQ(z["margin"]["q90"], 2);
  EXPECT_EQ(z["strict"][0]["delta"], 1);
  // Only the anchor 0.5 has a margin above 1; all have margins above 0.5.
  EXPECT_NEAR(z["strict"][0]["share"].get<double>(), 1.0 / 3, 0.03);
  EXPECT_EQ(z["strict"][1]["share"], 1);
}

TEST_F(OrderingTest, NoiseOfThePosteriorIsLeftOutOrTakenIn) {
  model_.encoder = rollout::EchoModel(data::SampleDescription(), 0, 0).encoder;
  EXPECT_EQ(Measure(kThree).splits.at(Split::kTrain).labels[0].z.share, 1);
  config_.codes = "sampled";
  const OrderingReport report = Measure(kThree);
  EXPECT_NE(report.splits.at(Split::kTrain).labels[0].z.margin.q90, 2);
  EXPECT_EQ(ToJson(Measure(kThree, 3)), ToJson(report)) << "threads change no number";
  seed_ = 2;
  EXPECT_NE(ToJson(Measure(kThree)), ToJson(report));
}

TEST_F(OrderingTest, TwoEpisodesAreTooFew) {
  EXPECT_THAT(test::ErrorOf([&] {
                Measure({{0, 1, 1}, {1, 2, 2}});
              }),
              HasSubstr("fewer than 3 episodes in every split"));
}

}  // namespace
}  // namespace rhumb::eval
