#include "rhumb/rollout/teachers.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rhumb/data/dataset_writer.h"
#include "rhumb/rollout/collector.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Agents 1 and 3 have one and two policies: policy 2 of the dataset is the last of agent 3.
TEST(Teachers, ArePoliciesOfTheDataset) {
  const test::ScratchFolder scratch;
  const sim::Environment environment{sim::FindBundle("point-v0", "two")};
  const auto write = [&](const char* name, float push) {
    population::WriteSamplePopulation(
        scratch.path() / name, environment,
        {{1, {1, 0}, {5}, {push, 0}}, {3, {0, 1}, {5, 10}, {0.25F, 0}}}, /*deviation=*/0.5F);
  };
  write("population", 0.5F);
  CollectRequest request;
  request.population = scratch.path() / "population";
  request.out = scratch.path() / "data";
  request.config.steps_per_policy = 100;
  request.config.selection.skip_iterations = 0;
  request.config.selection.every = 1;
  request.config.selection.stationary_fraction = 0;
  request.config.selection.keep_unstable = true;
  request.job.quiet = true;
  CollectDataset(request);
  const data::Dataset dataset = data::Dataset::Open(request.out);

  const population::PopulationReader reader(request.population);
  const std::vector<net::GaussianPolicy> teachers =
      ReadTeachers(reader, dataset, std::vector<int>{2, 0});
  ASSERT_EQ(teachers.size(), 2u);
  EXPECT_EQ(teachers[0].mean.layer(0).bias[0], 0.25F);
  EXPECT_EQ(teachers[1].mean.layer(0).bias[0], 0.5F);
  EXPECT_THAT(teachers[0].deviation, ElementsAre(0.5F, 0.5F));

  write("other", 0.75F);
  const population::PopulationReader other(scratch.path() / "other");
  EXPECT_THAT(test::ErrorOf([&] { ReadTeachers(other, dataset, std::vector<int>{0}); }),
              AllOf(HasSubstr("other is not the population"), HasSubstr("data")));
}

TEST(Teachers, AnAgentThatThePopulationLacksIsNamed) {
  const test::ScratchFolder scratch;
  const sim::Environment environment{sim::FindBundle("point-v0", "two")};
  population::WriteSamplePopulation(scratch.path() / "population", environment,
                                    {{1, {1, 0}, {5}, {0.5F, 0}}}, /*deviation=*/0.5F);
  const population::PopulationReader reader(scratch.path() / "population");
  data::DatasetWriter writer(scratch.path() / "data", DescribeRecordings(environment));
  data::Policy unknown;
  unknown.agent = 7;
  unknown.iteration = 5;
  unknown.weights = {1, 0};
  writer.AddPolicy(unknown);
  const net::GaussianPolicy policy = population::ConstantPolicy(2, {0.5F, 0}, 0.5F);
  EpisodeRecorder recorder(environment, {.steps = 100});
  for (const data::Episode& episode :
       recorder.Record({policy, 0, unknown.weights}, [](int) { return true; })) {
    writer.Append(episode);
  }
  writer.Commit({{"parents", {{"population", reader.artifact().hash()}}}});
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "data");
  EXPECT_THAT(test::ErrorOf([&] { ReadTeachers(reader, dataset, std::vector<int>{0}); }),
              HasSubstr("policy 0 is of agent 7, which the population lacks"));
}

}  // namespace
}  // namespace rhumb::rollout
