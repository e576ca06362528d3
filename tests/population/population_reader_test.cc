#include "rhumb/population/population_reader.h"

#include <gmock/gmock.h>

#include <fstream>

#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::population {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::ErrorOf;
using testing::ElementsAre;
using testing::HasSubstr;

class PopulationReaderTest : public testing::Test {
 protected:
  template <class Change>
  fs::path Make(Change change) const {
    const fs::path folder = scratch_.path() / "p";
    fs::remove_all(folder);
    WriteSamplePopulation(folder, environment_,
                          {{3, {0.25, 0.75}, {5, 10}, {0.5F, -0.25F}}, {1, {1, 0}, {10}, {1, 0}}},
                          0.125F, change);
    return folder;
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const test::ScratchFolder scratch_;
};

TEST_F(PopulationReaderTest, ReadsWhatWasWritten) {
  const PopulationReader reader(Make([](json&) {}));
  const PopulationDescription& population = reader.description();
  EXPECT_EQ(population.environment.id, "point-v0");
  EXPECT_EQ(population.environment.rewards, "two");
  ASSERT_EQ(population.objectives.size(), 2u);
  EXPECT_EQ(population.objectives[0].name, "x_velocity");
  EXPECT_EQ(population.objectives[1].name, "energy");
  EXPECT_EQ(population.environment.hash(), environment_.bundle().hash());
  ASSERT_EQ(population.agents.size(), 2u);
  EXPECT_EQ(population.agents[0].id, 1);  // sorted by id
  EXPECT_EQ(population.agents[1].id, 3);
  EXPECT_THAT(population.agents[1].weights, ElementsAre(0.25, 0.75));
  EXPECT_THAT(population.agents[1].kept_iterations, ElementsAre(5, 10));

  const auto file = reader.OpenAgent(1);
  EXPECT_EQ(reader.OpenAgent(1), file) << "read once while somebody holds it";
  const net::GaussianPolicy policy = reader.ReadPolicy(*file, 10);
  EXPECT_THAT(policy.deviation, ElementsAre(0.125F, 0.125F));
  const std::vector<double> observation = {7, -7};
  std::vector<float> mean(2);
  net::PolicyActor(policy, 1).Means(observation.data(), 1, mean.data());
  EXPECT_THAT(mean, ElementsAre(0.5F, -0.25F));
  EXPECT_THAT(ErrorOf([&] { reader.ReadPolicy(*file, 15); }), HasSubstr("iteration_00015"));
}

TEST_F(PopulationReaderTest, WhatIsNoPopulationIsAnError) {
  EXPECT_THAT(ErrorOf([&] { PopulationReader(scratch_.path() / "none"); }),
              HasSubstr("there is no folder"));
}

TEST_F(PopulationReaderTest, PoliciesOfAnotherSizeAreRefused) {
  const PopulationReader reader(Make([](json& d) { d["observation_size"] = 3; }));
  EXPECT_THAT(ErrorOf([&] { reader.ReadPolicy(*reader.OpenAgent(0), 10); }),
              HasSubstr("maps 2 numbers to 2, but the population's policies map 3 to 2"));
}

TEST_F(PopulationReaderTest, AChangedFileIsRefused) {
  const fs::path folder = Make([](json&) {});
  const fs::path file = folder / "agents/agent_003.safetensors";
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary)
      .seekp(static_cast<std::streamoff>(fs::file_size(file) - 1))
      .put('x');
  const PopulationReader reader(folder);
  reader.OpenAgent(0);
  EXPECT_THAT(ErrorOf([&] { reader.OpenAgent(1); }),
              HasSubstr("the contents of agents/agent_003.safetensors have changed"));
}

}  // namespace
}  // namespace rhumb::population
