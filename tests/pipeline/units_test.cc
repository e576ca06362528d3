#include "rhumb/pipeline/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ReproduceRequest SmokeRequest(const std::string& device = "cpu") {
  return {.spec = "environment/point-v0.toml",
          .files = {"environment/point-v0.toml"},
          .rewards = "two",
          .objectives = {"x_velocity", "energy"},
          .attributes = {{"action_rate", "mean(action_rate)", "squared change per step"}},
          .scale = "smoke",
          .device = device,
          .seed = 5,
          .threads = 2};
}

const Unit& FindUnit(const std::vector<Unit>& units, const std::string& id) {
  return *std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.id() == id; });
}

std::vector<std::string> Ids(const std::vector<Unit>& units) {
  std::vector<std::string> ids;
  for (const Unit& unit : units) ids.push_back(unit.id());
  return ids;
}

TEST(Units, ComeAfterThoseTheyNeed) {
  std::set<std::string> made;
  for (const Unit& unit : MakeUnits(SmokeRequest(), {.roots = 3, .children = 2})) {
    for (const std::string& need : unit.needs) EXPECT_THAT(made, Contains(need));
    EXPECT_TRUE(made.insert(unit.id()).second) << unit.id();
    EXPECT_GT(unit.memory_mb, 0);
    EXPECT_FALSE(unit.on_gpu);
  }
  EXPECT_THAT(made, Contains("models/vae"));
}

TEST(Units, RootsComeBeforeChildrenAndBothBeforeTheWhole) {
  const auto units = MakeUnits(
      SmokeRequest(),
      {.roots = 2, .children = 1, .agents_per_unit = 1, .root_seconds = 8, .child_seconds = 2});
  const Unit &root = FindUnit(units, "population.parts/001"),
             &child = FindUnit(units, "population.parts/002"),
             &whole = FindUnit(units, "population");
  EXPECT_THAT(root.needs, IsEmpty());
  EXPECT_EQ(root.threads, 1);
  EXPECT_EQ(root.seconds, 8);
  EXPECT_EQ(child.seconds, 2);
  EXPECT_THAT(FormatCommand(root.stage.command()),
              EndsWith("--agents 1 --keep-states --threads 1 --device cpu"));
  EXPECT_THAT(FormatCommand(root.stage.words), HasSubstr("--out population.parts/001 "));
  EXPECT_THAT(child.needs, ElementsAre("population.parts/000", "population.parts/001"));
  EXPECT_THAT(child.stage.inputs, ElementsAre("environment/point-v0.toml", "population.parts/000",
                                              "population.parts/001"));
  EXPECT_THAT(FormatCommand(child.stage.words),
              EndsWith("--agents 2 --roots population.parts/000,population.parts/001"));
  EXPECT_EQ(FormatCommand(whole.stage.join_words),
            "population merge population.parts/000 population.parts/001 population.parts/002 "
            "--out population");
  // Its stamp is that of `reproduce`, so each can continue what the other began.
  const auto plan = MakePlan(SmokeRequest());
  EXPECT_EQ(whole.stage.words, plan.front().words);
  EXPECT_EQ(whole.stage.inputs, plan.front().inputs);
  EXPECT_EQ(units.size(), plan.size() + 3);
}

TEST(Units, AgentsMayTrainTogether) {
  const auto units = MakeUnits(SmokeRequest(), {.roots = 5, .children = 0, .agents_per_unit = 3});
  EXPECT_EQ(FindUnit(units, "population.parts/000-002").threads, 3);
  const Unit& second = FindUnit(units, "population.parts/003-004");
  EXPECT_EQ(second.threads, 2);
  EXPECT_THAT(FormatCommand(second.stage.words), EndsWith("--agents 3,4"));
  for (const int all : {0, 5, 9}) {
    const auto together = MakeUnits(SmokeRequest("cuda"), {.roots = 5, .agents_per_unit = all});
    EXPECT_THAT(together.front().stage.parts, IsEmpty());
    EXPECT_TRUE(together.front().on_gpu);
    EXPECT_EQ(together.size(), MakePlan(SmokeRequest()).size());
  }
}

TEST(Units, ThreadsAreOfTheRequestButForAgents) {
  const auto units = MakeUnits(SmokeRequest("cuda"), {.roots = 2});
  const Unit &model = FindUnit(units, "models/vae"),
             &measure = FindUnit(units, "measures/probe/vae.json");
  EXPECT_EQ(model.threads, 2);
  EXPECT_TRUE(model.on_gpu);
  EXPECT_FALSE(measure.on_gpu);
  EXPECT_FALSE(FindUnit(units, "population").on_gpu);
  EXPECT_EQ(FormatCommand(model.stage.machine_words), "--threads 2 --device cuda");
}

TEST(ChooseUnits, TakesWhatTheyNeed) {
  const auto units = MakeUnits(SmokeRequest(), {.roots = 2});
  EXPECT_THAT(Ids(ChooseUnits(units, {"population"})),
              ElementsAre("population.parts/000", "population.parts/001", "population"));
  const auto data = Ids(ChooseUnits(units, {"dataset"}));
  EXPECT_THAT(data, Contains("population.parts/001"));
  EXPECT_THAT(data, Contains("dataset-hole-v0"));
  EXPECT_THAT(data, Not(Contains("models/ours")));
  EXPECT_EQ(ChooseUnits(units, kUnitKinds).size(), units.size());
  EXPECT_THAT(test::ErrorOf([&] { ChooseUnits(units, {"models"}); }), HasSubstr("'model'"));
}

// A run of two parts and their join, whose commands are scripts of the shell.
class SmallRun : public testing::Test {
 protected:
  static std::string MakeArtifact(const std::string& name) {
    return "mkdir -p " + name + " && printf '{\"kind\": \"x\", \"files\": {}}' > " + name +
           "/manifest.json && echo " + name + " >> log";
  }
  static Unit Part(const std::string& name) {
    return {.stage = {name, {"-c", MakeArtifact(name)}}, .kind = "population"};
  }
  SmallRun() {
    Unit whole{.stage = {"whole", {"-c", "exit 1"}},
               .kind = "population",
               .needs = {"parts/0", "parts/1"}};
    whole.stage.parts = whole.needs;
    whole.stage.join_words = {"-c", MakeArtifact("whole")};
    Unit next{.stage = {"next.json", {"-c", "echo 1"}, {}, {"whole"}},
              .kind = "dataset",
              .needs = {"whole"}};
    units_ = {Part("parts/0"), Part("parts/1"), whole, next};
    for (const test::ScratchFolder* folder : {&folder_, &elsewhere_}) {
      folder->Write("reproduce.json", "{}");
    }
  }
  static bool Run(const std::vector<Unit>& units, const std::string& id,
                  const test::ScratchFolder& folder) {
    return RunUnit(units, id, folder.path(), "/bin/sh");
  }
  std::string States() const {
    std::string letters;
    for (const UnitState state : StatesOf(units_, folder_.path())) {
      letters += "wrd"[static_cast<int>(state)];
    }
    return letters;
  }

  test::ScratchFolder folder_, elsewhere_;
  std::vector<Unit> units_;
};

TEST_F(SmallRun, RunsInOrderAndNothingTwice) {
  EXPECT_EQ(States(), "rrww");
  EXPECT_TRUE(Run(units_, "parts/1", folder_));
  EXPECT_FALSE(Run(units_, "parts/1", folder_));
  EXPECT_EQ(States(), "rdww");
  EXPECT_THAT(test::ErrorOf([&] { Run(units_, "whole", folder_); }), HasSubstr("parts/0"));
  EXPECT_TRUE(Run(units_, "parts/0", folder_));
  EXPECT_EQ(States(), "ddrw");
  EXPECT_TRUE(Run(units_, "whole", folder_));
  // The parts are spent; their times stay.
  EXPECT_FALSE(fs::exists(folder_.path() / "parts/0"));
  EXPECT_TRUE(fs::exists(folder_.path() / "parts/0.stamp"));
  EXPECT_EQ(States(), "dddr");
  EXPECT_TRUE(Run(units_, "next.json", folder_));
  EXPECT_EQ(States(), "dddd");
  EXPECT_EQ(test::Contents(folder_.path() / "log"), "parts/1\nparts/0\nwhole\n");
  EXPECT_THAT(test::ErrorOf([&] { Run(units_, "parts/2", folder_); }), HasSubstr("'parts/2'"));
}

TEST_F(SmallRun, UnitsThatRanElsewhereAreTaken) {
  EXPECT_THAT(TakeUnits(units_, elsewhere_.path(), folder_.path()), IsEmpty());
  Run(units_, "parts/0", elsewhere_);
  Run(units_, "parts/1", folder_);
  EXPECT_THAT(TakeUnits(units_, elsewhere_.path(), folder_.path()), ElementsAre("parts/0"));
  EXPECT_EQ(States(), "ddrw");
  Run(units_, "parts/1", elsewhere_);
  Run(units_, "whole", elsewhere_);
  Run(units_, "next.json", elsewhere_);
  EXPECT_THAT(TakeUnits(units_, elsewhere_.path(), folder_.path()),
              ElementsAre("whole", "next.json"));
  EXPECT_EQ(States(), "dddd");
  EXPECT_FALSE(fs::exists(folder_.path() / "parts/0"));
}

TEST_F(SmallRun, IsDescribed) {
  const Unit& next = units_.back();
  nlohmann::json told = ToJson(next, UnitState::kWaiting, folder_.path());
  EXPECT_EQ(told["id"], "next.json");
  EXPECT_EQ(told["state"], "waiting");
  EXPECT_EQ(told["inputs"][0]["path"], "whole");
  EXPECT_TRUE(told["inputs"][0]["sha256"].is_null());
  EXPECT_FALSE(told["measured"]);
  for (const std::string& id : Ids(units_)) Run(units_, id, folder_);
  told = ToJson(next, UnitState::kDone, folder_.path());
  EXPECT_EQ(told["outputs"][0]["sha256"], HashOfContent(folder_.path() / "next.json"));
  EXPECT_EQ(told["inputs"][0]["sha256"], HashOfContent(folder_.path() / "whole"));
  EXPECT_TRUE(told["measured"]);
  EXPECT_GT(told["seconds"], 0);
}

}  // namespace
}  // namespace rhumb::pipeline
