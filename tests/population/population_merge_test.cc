#include "rhumb/population/population_merge.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/file.h"
#include "rhumb/population/population_description.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::population {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::ErrorOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PopulationMerge : public testing::Test {
 protected:
  // A population with three weight vectors; `agents` are the trained ones. `change` may alter
  // population.json and the manifest.
  template <class Change>
  fs::path Make(const std::string& name, const std::vector<int>& agents, Change change) const {
    PopulationDescription whole{.environment = {.id = "point-v0",
                                                .rewards = "two",
                                                .spec = "point.toml",
                                                .files = {{"point.toml", "id = \"point-v0\"\n"}}},
                                .objectives = {{"x", "m"}, {"y", "m"}},
                                .observation_size = 2,
                                .action_size = 2,
                                .time_limit = 100,
                                .weights = {{1, 0}, {0.5, 0.5}, {0, 1}},
                                .iterations = 2,
                                .agents = {}};
    json manifest = {{"weights", whole.weights},
                     {"seed", 7},
                     {"config", {{"iterations", 2}, {"ppo", {{"steps", 64}}}}},
                     {"agents", agents},
                     {"device", "cpu"},
                     {"wall_seconds", 1.5}};
    core::ArtifactWriter writer(folder_.path() / name, "population");
    for (const int id : agents) {
      const std::string file = fmt::format("agents/agent_{:03}.safetensors", id);
      core::WriteFileAtomically(writer.file(file), fmt::format("policies of {}", id));
      whole.agents.push_back(
          {.id = id,
           .weights = whole.weights[static_cast<std::size_t>(id)],
           .file = file,
           .kept_iterations = {1},
           .curves = {
               .iterations = {1}, .returns = {{0, 0}}, .episode_length = {1}, .deviation = {1}}});
    }
    core::WriteBundle(whole.environment, writer);
    json description = ToJson(whole);
    change(description, manifest);
    core::WriteFileAtomically(writer.file("population.json"), description.dump());
    writer.Commit(manifest);
    return folder_.path() / name;
  }
  fs::path Make(const std::string& name, const std::vector<int>& agents) const {
    return Make(name, agents, [](json&, json&) {});
  }

  fs::path out() const { return folder_.path() / "whole"; }
  std::string ErrorOfMerging(const std::vector<fs::path>& parts) const {
    return ErrorOf([&] { MergePopulations(parts, out()); });
  }

  test::ScratchFolder folder_;
};

TEST_F(PopulationMerge, TwoPartsBecomeTheWhole) {
  const fs::path a = Make("a", {2}), b = Make("b", {0, 1});
  const MergedPopulation merged = MergePopulations({a, b}, out());
  EXPECT_THAT(merged.agents, ElementsAre(0, 1, 2));
  EXPECT_THAT(merged.missing, IsEmpty());

  const core::Artifact whole = core::Artifact::Open(out(), "population");
  whole.Verify();
  const json description = json::parse(test::Contents(whole.file("population.json")));
  ASSERT_EQ(description["agents"].size(), 3);
  for (int id = 0; id < 3; ++id) {
    const json& agent = description["agents"][static_cast<std::size_t>(id)];
    EXPECT_EQ(agent["id"], id);
    EXPECT_EQ(test::Contents(whole.file(agent["file"].get<std::string>())),
              fmt::format("policies of {}", id));
  }
  EXPECT_EQ(description["environment"]["id"], "point-v0");
  EXPECT_EQ(test::Contents(whole.file("environment/point.toml")), "id = \"point-v0\"\n");
  EXPECT_EQ(whole.manifest()["agents"], json({0, 1, 2}));
  EXPECT_EQ(whole.manifest()["device"], "cpu");
  EXPECT_EQ(whole.manifest()["wall_seconds"], 3.0);
  EXPECT_EQ(whole.manifest()["parents"][a.string()], core::Artifact::Open(a, "").hash());
}

TEST_F(PopulationMerge, SaysWhatIsStillMissing) {
  const MergedPopulation merged = MergePopulations({Make("a", {2}), Make("b", {0})}, out());
  EXPECT_THAT(merged.missing, ElementsAre(1));
}

TEST_F(PopulationMerge, ListsTheDevicesWhereTheyDiffer) {
  const fs::path a = Make("a", {0});
  const fs::path b = Make("b", {1}, [](json&, json& manifest) { manifest["device"] = "cuda"; });
  MergePopulations({a, b}, out());
  EXPECT_EQ(core::Artifact::Open(out(), "population").manifest()["device"], json({"cpu", "cuda"}));
}

TEST_F(PopulationMerge, AnAgentInTwoPartsIsAnError) {
  EXPECT_THAT(ErrorOfMerging({Make("a", {0, 1}), Make("b", {1, 2})}),
              AllOf(HasSubstr("agent 1 is both in"), HasSubstr("/a"), HasSubstr("/b")));
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(PopulationMerge, PartsOfDifferentRunsAreErrors) {
  const fs::path a = Make("a", {0});
  const fs::path seed = Make("b", {1}, [](json&, json& manifest) { manifest["seed"] = 8; });
  const fs::path steps =
      Make("c", {1}, [](json&, json& manifest) { manifest["config"]["ppo"]["steps"] = 128; });
  const fs::path other = Make(
      "d", {1}, [](json& description, json&) { description["environment"]["id"] = "mo-ant-v5"; });
  EXPECT_THAT(ErrorOfMerging({a, seed}), HasSubstr("seed differs (7) (8)"));
  EXPECT_THAT(ErrorOfMerging({a, steps}), HasSubstr("config.ppo.steps differs (64) (128)"));
  EXPECT_THAT(ErrorOfMerging({a, other}), HasSubstr("to 'mo-ant-v5' with the rewards 'two'"));
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(PopulationMerge, DamageIsFoundBeforeItSpreads) {
  const fs::path a = Make("a", {0}), b = Make("b", {1});
  folder_.Write("b/agents/agent_001.safetensors", "policies of X");
  EXPECT_THAT(ErrorOfMerging({a, b}), HasSubstr("the contents of agents/agent_001.safetensors"));
  const fs::path c =
      Make("c", {1}, [](json& description, json&) { description["agents"] = "none"; });
  EXPECT_THAT(ErrorOfMerging({a, c}), HasSubstr("does not describe a population"));
  const fs::path d =
      Make("d", {1}, [](json& description, json&) { description["agents"][0]["id"] = 3; });
  EXPECT_THAT(ErrorOfMerging({a, d}), HasSubstr("agent 3 is listed twice or has no weight vector"));
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(PopulationMerge, OnePartIsNotEnoughAndNothingIsReplaced) {
  const fs::path a = Make("a", {0}), b = Make("b", {1});
  EXPECT_THAT(ErrorOfMerging({a}), HasSubstr("at least 2 populations, not 1"));
  EXPECT_THAT(ErrorOf([&] { MergePopulations({a, b}, a); }), HasSubstr("it already exists"));
}

}  // namespace
}  // namespace rhumb::population
