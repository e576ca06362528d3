#include "rhumb/eval/map/front.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::eval {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const std::vector<std::string> kNames = {"forward", "energy"};

TEST(Front, ReferenceByHand) {
  EXPECT_THAT(ParseReference("forward=0 energy=-6e3", kNames), ElementsAre(0, -6000));
  EXPECT_THAT(ParseReference("  energy=-1   forward=2.5 ", kNames), ElementsAre(2.5, -1));
  const auto complaint = [](const char* text, const char* part) {
    EXPECT_THAT(test::ErrorOf([&] { ParseReference(text, kNames); }),
                AllOf(HasSubstr(part), HasSubstr("forward=0 energy=0")));
  };
  complaint("forward=0", "'energy' is missing");
  complaint("forward=0 forward=1", "'forward' is given twice");
  complaint("forward=0 height=1", "'height' is not an objective");
  complaint("forward=x energy=1", "'x' is not a finite number");
  complaint("forward=inf energy=1", "'inf' is not a finite number");
  complaint("forward energy=1", "'forward' has no '='");
  complaint("", "'forward' is missing");
}

FrontSource Source(const char* name, std::vector<FrontCandidate> chosen,
                   std::vector<double> chosen_values) {
  FrontSource source;
  source.name = name;
  source.tried = {2, chosen_values};
  source.chosen_values = {2, std::move(chosen_values)};
  source.chosen = std::move(chosen);
  return source;
}

// Two sources, above (0, 0). The map was chosen by lucky values: (1, 4) and (4, 1) enclose 7, and
// its other episodes (1, 3) and (3, 1) enclose 5. The labels (1, 1) and (0.5, 0.5) enclose 1.
class FrontTableTest : public testing::Test {
 protected:
  const std::vector<FrontSource> sources_ = {
      Source("map", {{4, false, {{1, 3}, {1, 3}}, {{1, 1}}}, {9, true, {{2, 1}, {4, 1}}, {{2, 0}}}},
             {1, 4, 4, 1}),
      Source("labels", {{0, false, {{1, 1}}, {}}, {1, false, {{0.5, 0.5}}, {}}}, {1, 1, 0.5, 0.5})};
};

TEST_F(FrontTableTest, ByHand) {
  const FrontTable table =
      TabulateFronts(sources_, /*discounted=*/false, {{0, 0}, {0, -1}}, 100, 1);
  ASSERT_THAT(table.fronts, SizeIs(2));
  const FrontReport &map = table.fronts[0], &labels = table.fronts[1];
  EXPECT_EQ(map.cardinality, 2u);
  EXPECT_EQ(map.between, 1u);
  EXPECT_THAT(map.numbers, ElementsAre(4, 9));
  EXPECT_THAT(map.points.values, ElementsAre(1, 3, 3, 1));
  EXPECT_DOUBLE_EQ(map.hypervolume[0].value, 5);
  EXPECT_DOUBLE_EQ(map.hypervolume[1].value, 4 + 4);
  EXPECT_THAT(map.hypervolume_of_choice, ElementsAre(7, 5 + 6));
  // The second code's mean is 2, 3 or 4 with shares 1/4, 1/2 and 1/4, so the volume is 4, 5 or 6.
  EXPECT_NEAR(map.hypervolume[0].noise, std::sqrt(0.5), 0.12);
  EXPECT_EQ(labels.cardinality, 1u) << "one label dominates the other";
  EXPECT_DOUBLE_EQ(labels.hypervolume[0].value, 1);
  EXPECT_EQ(labels.hypervolume[0].noise, 0) << "one episode has no noise to resample";
  EXPECT_EQ(table.union_cardinality, 2u);
  EXPECT_EQ(map.igd_plus, 0);
  EXPECT_DOUBLE_EQ(labels.igd_plus, 2);
  EXPECT_DOUBLE_EQ(labels.igd, 2);
  EXPECT_DOUBLE_EQ(map.maximum_utility_loss, 0);
  EXPECT_NEAR(labels.maximum_utility_loss, 2, 1e-9);
  EXPECT_DOUBLE_EQ(map.sparsity, 8);
  ASSERT_THAT(table.comparisons, SizeIs(2));
  EXPECT_EQ(table.comparisons[0].other, "labels");
  EXPECT_DOUBLE_EQ(table.comparisons[0].ratio.mean, 5);
  EXPECT_DOUBLE_EQ(table.comparisons[0].ratio.low, 4);
  EXPECT_DOUBLE_EQ(table.comparisons[0].ratio.high, 6);
}

// Labels have no discounted returns.
TEST_F(FrontTableTest, Discounted) {
  const FrontTable table = TabulateFronts(sources_, /*discounted=*/true, {{0, -1}}, 100, 1);
  ASSERT_THAT(table.fronts, SizeIs(1));
  EXPECT_DOUBLE_EQ(table.fronts[0].hypervolume[0].value, 2 + 1);
  EXPECT_THAT(table.fronts[0].hypervolume_of_choice, SizeIs(0));
  EXPECT_THAT(table.comparisons, SizeIs(0));
}

TEST_F(FrontTableTest, NothingAboveTheReference) {
  const FrontTable table = TabulateFronts(sources_, /*discounted=*/false, {{2, 2}}, 10, 1);
  EXPECT_EQ(table.fronts[1].hypervolume[0].value, 0);
  EXPECT_FALSE(std::isfinite(table.comparisons[0].ratio.mean));
}

// A push of (0.5, 0) costs 25, and one of (0.25, 0) costs 6.25, which is a quarter as much.
TEST(Front, OfAModel) {
  const sim::Environment environment{sim::FindBundle("point-v0", "two")};
  net::Model model = rollout::EchoModel(rollout::DescribeRecordings(environment), 0);
  net::CodeTable& table = model.grounded[1].emplace().rolled_out;
  table.code_size = table.objectives = 2;
  table.codes = {0.5F, 0, 0.25F, 0};
  table.values = {45, -25, 22, -6};
  model.training = table;
  model.training.values = {40, -30, 10, -50};
  const FrontSubject subject{.model = &model};
  FrontConfig config;
  config.mode = net::RolloutMode::kMean;
  config.rollouts = 2;
  config.resamples = 10;
  const core::Job job{.seed = 1, .threads = 2, .quiet = true};
  const auto measured = MeasureFront(environment, subject, config, job);
  ASSERT_TRUE(measured.has_value());
  EXPECT_THAT(measured->objectives, ElementsAre("x_velocity", "energy"));
  // The worst of everything that was tried, and -100.
  EXPECT_THAT(measured->returns.references, ElementsAre(ElementsAre(10, -50)));
  EXPECT_TRUE(measured->returns.default_references);
  EXPECT_THAT(measured->discounted.references, ElementsAre(ElementsAre(-100, -100)));
  ASSERT_THAT(measured->returns.fronts, SizeIs(2));
  EXPECT_NEAR(measured->returns.fronts[0].points.point(1)[1], -6.25, 1e-4);
  EXPECT_EQ(measured->returns.fronts[1].source, "training labels");
  ASSERT_THAT(measured->discounted.fronts, SizeIs(1));

  const nlohmann::json document = ToJson(*measured);
  EXPECT_EQ(document["tried"]["map"].size(), 2u);
  EXPECT_EQ(document["tables"][0]["references"][0]["energy"], -50);
  EXPECT_EQ(document["tables"][0]["fronts"][0]["cardinality"], 2);
  EXPECT_TRUE(document["tables"][1]["discounted"]);

  // A wrong reference point is found before anything is played.
  config.references = {"x_velocity=0 energy=0", "x_velocity=0"};
  EXPECT_THAT(test::ErrorOf([&] { MeasureFront(environment, subject, config, job); }),
              HasSubstr("'energy' is missing"));
  config.references.clear();
  core::Job stopped = job;
  stopped.should_stop = [] { return true; };
  EXPECT_FALSE(MeasureFront(environment, subject, config, stopped).has_value());
}

}  // namespace
}  // namespace rhumb::eval
