#include "rhumb/population/population_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/core/files/file.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::population {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::ErrorOf;
using testing::HasSubstr;

Agent MakeAgent(int id) {
  return {.id = id,
          .weights = {0.25, 0.75},
          .file = "agents/" + std::to_string(id),
          .kept_iterations = {5, 10},
          .curves = {.iterations = {10},
                     .returns = {{1.5, -2}},
                     .episode_length = {40},
                     .deviation = {0.5},
                     .skipped_minibatches = 3,
                     .diverged_episodes = 4}};
}

PopulationDescription Sample() {
  return {.environment = {.id = "probe-v0",
                          .rewards = "two",
                          .spec = "probe.toml",
                          .files = {{"probe.toml", "id = \"probe-v0\"\n"}}},
          .objectives = {{"forward", "m"}, {"energy", ""}},
          .observation_size = 3,
          .action_size = 2,
          .time_limit = 100,
          .weights = {{1, 0}, {0.5, 0.5}, {0.25, 0.75}},
          .iterations = 10,
          .agents = {MakeAgent(2), MakeAgent(1)}};
}

// Reads the document as population.json of an artefact, beside the environment's files.
PopulationDescription Read(const json& document) {
  const test::ScratchFolder scratch;
  core::ArtifactWriter writer(scratch.path() / "p", "population");
  core::WriteBundle(Sample().environment, writer);
  core::WriteFileAtomically(writer.file("population.json"), document.dump());
  writer.Commit(json::object());
  return ReadDescription(core::Artifact::Open(scratch.path() / "p", "population"));
}

template <class Change>
std::string ErrorAfter(Change change) {
  json document = ToJson(Sample());
  change(document);
  return ErrorOf([&] { Read(document); });
}

TEST(PopulationDescription, ComesBackWithItsAgentsInOrder) {
  const PopulationDescription read = Read(ToJson(Sample()));
  PopulationDescription expected = Sample();
  std::swap(expected.agents[0], expected.agents[1]);
  EXPECT_EQ(ToJson(read), ToJson(expected));
  EXPECT_EQ(read.agents[0].id, 1);
  EXPECT_EQ(read.agents[1].curves.returns[0][1], -2);
  EXPECT_EQ(read.agents[1].curves.diverged_episodes, 4);
  EXPECT_EQ(read.objectives[0].unit, "m");
  EXPECT_EQ(read.environment.files, Sample().environment.files);
}

// Populations on people's disks have these keys.
TEST(PopulationDescription, KeepsItsFormat) {
  const json document = ToJson(Sample());
  EXPECT_EQ(document["agents"][0], json::parse(R"(
      {"id": 2, "parent": null, "weights": [0.25, 0.75], "file": "agents/2",
       "kept_iterations": [5, 10],
       "curves": {"iteration": [10], "returns": [[1.5, -2.0]], "episode_length": [40.0],
                  "deviation": [0.5], "skipped_minibatches": 3, "diverged_episodes": 4}})"));
  EXPECT_EQ(document["objectives"][0], json::parse(R"({"name": "forward", "unit": "m"})"));
  EXPECT_EQ(document["time_limit"], 100);
  EXPECT_EQ(document.size(), 8u);
}

TEST(PopulationDescription, ADamagedOneIsRefused) {
  EXPECT_THAT(ErrorAfter([](json& d) { d["environment"].erase("rewards"); }), HasSubstr("rewards"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["observation_size"] = "two"; }),
              HasSubstr("population.json does not describe a population"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["iterations"] = 1e99; }),
              HasSubstr("'iterations' is 1e+99, expected a whole number"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["kept_iterations"] = {5.5}; }),
              HasSubstr("'kept_iterations' is 5.5, expected a whole number"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["curves"]["iteration"] = {1e99}; }),
              HasSubstr("'iteration' is 1e+99, expected a whole number"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["parent"] = 0.5; }),
              HasSubstr("'parent' is 0.5, expected a whole number"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["curves"]["episode_length"] = {"x"}; }),
              HasSubstr("population.json does not describe a population"));
  EXPECT_THAT(
      ErrorAfter([](json& d) { d["agents"][0]["curves"]["episode_length"] = {json::array()}; }),
      HasSubstr("population.json does not describe a population"));
  EXPECT_THAT(
      ErrorAfter([](json& d) { d["agents"][0]["curves"]["episode_length"] = json::array(); }),
      HasSubstr("agent 2: the curves have 1, 1, 0 and 1 entries"));
  EXPECT_THAT(ErrorAfter([](json& d) {
                d["agents"][0]["weights"] = {"x", "y"};
              }),
              HasSubstr("population.json does not describe a population"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["environment"] = 5; }),
              HasSubstr("population.json does not describe a population"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["weights"] = {1}; }),
              HasSubstr("agent 2 has 1 weights for 2 objectives"));
  EXPECT_THAT(ErrorAfter([](json& d) {
                d["agents"][0]["kept_iterations"] = {10, 5};
              }),
              HasSubstr("agent 2 has iteration 5 after 10"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["curves"]["returns"] = json::array(); }),
              HasSubstr("agent 2: the curves have 1, 0, 1 and 1 entries"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["environment"]["hash"] = "0"; }),
              HasSubstr("the files in environment/ are not those of its environment 'probe-v0'"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["parent"] = 2; }),
              HasSubstr("agent 2 has the parent 2; parents have lower numbers"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["id"] = 1; }),
              HasSubstr("agent 1 is listed twice"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["id"] = 3; }),
              HasSubstr("agent 3 is listed twice or has no weight vector"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["agents"][0]["curves"]["returns"][0] = {1}; }),
              HasSubstr("agent 2: a return has 1 numbers for 2 objectives"));
}

TEST(PopulationDescription, FinishWritesTheWholeFolder) {
  const test::ScratchFolder scratch;
  core::ArtifactWriter writer(scratch.path() / "p", "population");
  FinishPopulation(writer, Sample(), {{"seed", 7}});
  const core::Artifact artifact = core::Artifact::Open(scratch.path() / "p", "population");
  EXPECT_EQ(artifact.manifest()["seed"], 7);
  EXPECT_EQ(ReadDescription(artifact).environment.hash(), Sample().environment.hash());
}

}  // namespace
}  // namespace rhumb::population
