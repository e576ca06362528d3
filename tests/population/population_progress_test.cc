#include "rhumb/population/population_progress.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rhumb/core/files/file.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/population/sample_work.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::population {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PopulationProgressTest : public testing::Test {
 protected:
  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const test::ScratchFolder scratch_;
  const std::filesystem::path out_ = scratch_.path() / "point.population";
};

TEST_F(PopulationProgressTest, SeesPoliciesAsTheyAppear) {
  EXPECT_FALSE(PopulationProgress::IsPopulation(out_));
  WriteSampleWork(out_, environment_, {{1, 0}, {0, 1}});
  EXPECT_TRUE(PopulationProgress::IsPopulation(out_));
  EXPECT_TRUE(PopulationProgress::IsPopulation(out_.string() + ".work/"));
  const PopulationProgress progress(out_.string() + ".work");
  EXPECT_EQ(progress.out(), out_);
  EXPECT_EQ(progress.environment().hash(), environment_.bundle().hash());
  EXPECT_TRUE(progress.IsTraining());
  ASSERT_EQ(progress.Look().size(), 2u);
  EXPECT_THAT(progress.Look()[1].weights, ElementsAre(0, 1));
  EXPECT_THAT(progress.Look()[1].policies, IsEmpty());

  WriteSamplePolicy(out_, environment_, 1, 5, {0.5F, 0.25F}, {3, -4});
  const std::vector<AgentSoFar> agents = progress.Look();
  ASSERT_EQ(agents[1].policies.size(), 1u);
  EXPECT_EQ(agents[1].policies[0].iteration, 5);
  EXPECT_THAT(agents[1].policies[0].returns, ElementsAre(3, -4));
  EXPECT_EQ(progress.ReadPolicy(1, 5).action_size(), 2);
  EXPECT_THAT(test::ErrorOf([&] { progress.ReadPolicy(0, 5); }),
              HasSubstr("no policy of agent 0 and iteration 5"));
}

// Training ends while somebody watches: OUT.work goes, OUT comes.
TEST_F(PopulationProgressTest, GoesOnWithTheFinishedPopulation) {
  WriteSampleWork(out_, environment_, {{1, 0}});
  WriteSamplePolicy(out_, environment_, 0, 5, {0, 0}, {1, 2});
  const PopulationProgress progress(out_);
  EXPECT_EQ(progress.Look()[0].policies.size(), 1u);
  std::filesystem::remove_all(core::WorkFolderOf(out_));
  WriteSamplePopulation(out_, environment_, {{0, {1, 0}, {5, 10}, {0, 0}}}, 0.5F);
  EXPECT_FALSE(progress.IsTraining());
  EXPECT_EQ(progress.Look()[0].policies.size(), 2u);
  EXPECT_EQ(progress.ReadPolicy(0, 10).action_size(), 2);
  EXPECT_THAT(test::ErrorOf([&] { progress.ReadPolicy(0, 15); }), HasSubstr("iteration 15"));
  EXPECT_TRUE(PopulationProgress::IsPopulation(out_));
}

TEST_F(PopulationProgressTest, KnowsWhatIsNotOne) {
  EXPECT_THAT(test::ErrorOf([&] { PopulationProgress{out_}; }), HasSubstr("not one in training"));
  core::MakeFolder(core::WorkFolderOf(out_));
  scratch_.Write("point.population.work/run.json", R"({"model": 1})");
  EXPECT_FALSE(PopulationProgress::IsPopulation(out_)) << "the work of another command";
  // Without its files, a robot must be a bundled one, and the same.
  scratch_.Write("point.population.work/run.json",
                 nlohmann::json{{"environment", core::ToJson(environment_.bundle())},
                                {"agents", {0}},
                                {"weights", {{1, 0}}}}
                     .dump());
  EXPECT_EQ(PopulationProgress(out_).environment().hash(), environment_.bundle().hash());
  scratch_.Write(
      "point.population.work/run.json",
      nlohmann::json{
          {"environment",
           {{"id", "point-v0"}, {"rewards", "two"}, {"spec", "point-v0.toml"}, {"hash", "0"}}},
          {"agents", {0}},
          {"weights", {{1, 0}}}}
          .dump());
  EXPECT_THAT(test::ErrorOf([&] { PopulationProgress{out_}; }), HasSubstr("another version"));
  scratch_.Write("point.population.work/run.json",
                 nlohmann::json{{"environment", core::ToJson(environment_.bundle())},
                                {"agents", {3}},
                                {"weights", {{1, 0}}}}
                     .dump());
  EXPECT_THAT(test::ErrorOf([&] { PopulationProgress{out_}; }), HasSubstr("without weights"));
}

}  // namespace
}  // namespace rhumb::population
