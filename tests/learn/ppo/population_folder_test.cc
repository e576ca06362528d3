#include "rhumb/learn/ppo/population_folder.h"

#include <gmock/gmock.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/artifact.h"
#include "tests/learn/ppo/small_cohort.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::ppo {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

const nlohmann::json kRun = {{"seed", 1}};

population::PopulationDescription DescriptionOf(const Cohort& cohort) {
  population::PopulationDescription description;
  description.environment = PointMass().bundle();
  for (const auto& objective : PointMass().objectives()) {
    description.objectives.push_back({objective.name, objective.unit});
  }
  description.observation_size = PointMass().observation_size();
  description.action_size = PointMass().action_size();
  description.time_limit = PointMass().time_limit();
  description.iterations = static_cast<int>(cohort.iteration());
  for (int i = 0; i < cohort.agent_count(); ++i) {
    description.weights.push_back(cohort.agent(i).weights);
  }
  return description;
}

TEST(PopulationFolder, RestoresTheLastIterationThatAllAgentsHave) {
  const test::ScratchFolder scratch;
  Cohort cohort = MakeCohort();
  const PopulationFolder folder(scratch.path() / "p", kRun);
  folder.Restore(cohort);
  EXPECT_EQ(cohort.iteration(), 0) << "there is nothing yet";
  Train(cohort, 1);
  folder.SaveState(cohort);
  Train(cohort, 1);
  folder.SaveState(cohort);
  const fs::path agent = scratch.path() / "p.work" / "agent_000";
  EXPECT_FALSE(fs::exists(agent / "state_00001.safetensors")) << "the earlier one is removed";

  Cohort resumed = MakeCohort();
  PopulationFolder(scratch.path() / "p", kRun).Restore(resumed);
  EXPECT_EQ(resumed.iteration(), 2);
  fs::remove(agent / "state_00002.safetensors");
  Cohort without = MakeCohort();
  folder.Restore(without);
  EXPECT_EQ(without.iteration(), 0) << "only one agent has a state";
}

TEST(PopulationFolder, AnotherRunIsAnError) {
  const test::ScratchFolder scratch;
  const PopulationFolder folder(scratch.path() / "p", kRun);
  EXPECT_NE(test::ErrorOf([&] { PopulationFolder(scratch.path() / "p", {{"seed", 2}}); }), "");
}

TEST(PopulationFolder, FinishPacksTheKeptPolicies) {
  const test::ScratchFolder scratch;
  std::vector<std::unique_ptr<Cohort>> cohorts;
  cohorts.emplace_back(new Cohort(MakeCohort()));
  Cohort& cohort = *cohorts.front();
  const PopulationFolder folder(scratch.path() / "p", kRun);
  for (int iteration = 0; iteration < 2; ++iteration) {
    Train(cohort, 1);
    for (int i = 0; i < 2; ++i) folder.SavePolicy(cohort, i);
  }
  folder.Finish(cohorts, DescriptionOf(cohort), kRun);
  EXPECT_FALSE(fs::exists(scratch.path() / "p.work"));
  const core::Artifact artifact = core::Artifact::Open(scratch.path() / "p", "population");
  const population::PopulationDescription read = population::ReadDescription(artifact);
  ASSERT_EQ(read.agents.size(), 2u);
  EXPECT_EQ(read.agents[1].id, 1);
  EXPECT_THAT(read.agents[1].kept_iterations, ElementsAre(1, 2));
  EXPECT_THAT(read.agents[1].curves.iterations, ElementsAre(1, 2));
  const net::SafetensorsFile pack(scratch.path() / "p" / read.agents[1].file);
  const net::GaussianPolicy policy = net::GaussianPolicy::Read(pack, "iteration_00002.");
  EXPECT_EQ(policy.deviation.size(), cohort.policy(1).deviation.size());
}

}  // namespace
}  // namespace rhumb::learn::ppo
