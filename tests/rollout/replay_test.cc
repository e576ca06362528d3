#include "rhumb/rollout/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "rhumb/rollout/recording.h"
#include "rhumb/rollout/trajectory.h"
#include "rhumb/sim/catalogue.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

// The oracle's rewards are rebuilt from their parts, which are added in another order.
constexpr double kRewardTolerance = 1e-10;

std::filesystem::path TranscriptFolder() {
  const char* root = std::getenv("RHUMB_SOURCE_DIR");
  return std::filesystem::path(root != nullptr ? root : ".") / "tests/sim/transcripts";
}

double LargestDifference(const std::vector<std::vector<double>>& ours, const json& theirs) {
  double largest = 0;
  EXPECT_EQ(ours.size(), theirs.size());
  for (std::size_t t = 0; t < ours.size(); ++t) {
    EXPECT_EQ(ours[t].size(), theirs[t].size());
    for (std::size_t i = 0; i < ours[t].size(); ++i) {
      largest = std::max(largest, std::abs(ours[t][i] - theirs[t][i].get<double>()));
    }
  }
  return largest;
}

// Observations are equal to the last bit, because the physics library is the same.
// tools/make_transcripts.py made tests/sim/transcripts/*.json from MO-Gymnasium.
TEST(Transcripts, MatchTheOracleWithoutPython) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TranscriptFolder())) {
    SCOPED_TRACE(entry.path().filename().string());
    const ReplayRequest request = ReadReplay(entry.path());
    const sim::Environment environment(FindReplayBundle(request));
    const ReplayResult result = Replay(environment, request);
    std::ifstream in(entry.path());
    const json expected = json::parse(in)["expected"];
    EXPECT_EQ(LargestDifference(result.observations, expected["observations"]), 0);
    EXPECT_LE(LargestDifference(result.rewards, expected["rewards"]), kRewardTolerance);
    EXPECT_EQ(json(result.terminated), expected["terminated"]);
    EXPECT_EQ(json(result.truncated), expected["truncated"]);
    ++count;
  }
  EXPECT_GE(count, 8);  // seven environments and a fall
}

class ReplayFile : public ::testing::Test {
 protected:
  std::string Complaint(const std::string& text) const {
    return test::ErrorOf([&] {
      const ReplayRequest request = ReadReplay(folder_.Write("r.json", text));
      const sim::Environment environment(FindReplayBundle(request));
      Replay(environment, request);
    });
  }
  test::ScratchFolder folder_;
};

TEST_F(ReplayFile, GoodOneHasNoComplaint) {
  EXPECT_EQ(
      Complaint(R"({"env": "point-v0", "qpos": [0, 0], "qvel": [0, 0], "actions": [[1, 0]]})"), "");
}

TEST_F(ReplayFile, TruncatedJson) {
  EXPECT_THAT(
      Complaint(R"({"env": "point-v0", "qpos": [0, )"),
      AllOf(HasSubstr("r.json"), HasSubstr("not valid JSON at byte 3"), HasSubstr("cut short")));
}

TEST_F(ReplayFile, WrongSizes) {
  EXPECT_THAT(
      Complaint(R"({"env": "point-v0", "qpos": [0, 0], "qvel": [0, 0], "actions": [[1, 0], [1]]})"),
      AllOf(HasSubstr("actions[1]"), HasSubstr("has 1 numbers"), HasSubstr("takes 2")));
  EXPECT_THAT(Complaint(R"({"env": "point-v0", "qpos": [0], "qvel": [0, 0], "actions": []})"),
              HasSubstr("qpos has 1 numbers"));
}

TEST_F(ReplayFile, NumbersThatAreNone) {
  EXPECT_THAT(
      Complaint(R"({"env": "point-v0", "qpos": [0, 0], "qvel": [0, 0], "actions": [[1, NaN]]})"),
      HasSubstr("NaN"));
  EXPECT_THAT(
      Complaint(R"({"env": "point-v0", "qpos": [0, 0], "qvel": [0, 0], "actions": [[1, null]]})"),
      HasSubstr("actions[0][1] is null"));
  EXPECT_THAT(
      Complaint(R"({"env": "point-v0", "qpos": [0, 1e999], "qvel": [0, 0], "actions": []})"),
      HasSubstr("too large"));
}

TEST_F(ReplayFile, UnknownThings) {
  EXPECT_THAT(Complaint(R"({"env": "pont-v0", "qpos": [], "qvel": [], "actions": []})"),
              HasSubstr("did you mean 'point-v0'"));
  EXPECT_THAT(Complaint(R"({"env": "point-v0", "rewards": "tow", "qpos": [0, 0], "qvel": [0, 0],
                            "actions": []})"),
              HasSubstr("did you mean 'two'"));
  EXPECT_THAT(Complaint(R"({"env": "../point.toml", "qpos": [], "qvel": [], "actions": []})"),
              HasSubstr("../point.toml"));
  EXPECT_THAT(Complaint(R"({"env": "point-v0"})"), HasSubstr("'qpos' is missing"));
  EXPECT_THAT(Complaint("[]"), HasSubstr("JSON object"));
  EXPECT_THAT(test::ErrorOf([] { ReadReplay("/nonexistent.json"); }), HasSubstr("cannot read"));
}

TEST_F(ReplayFile, DivergenceEndsItWithFiniteNumbers) {
  const ReplayRequest request = ReadReplay(folder_.Write("r.json", R"({"env": "mo-halfcheetah-v5",
      "qpos": [0, 0, 0, 0, 0, 0, 0, 0, 0], "qvel": [1e7, 1e7, -1e7, 1e7, 1e7, 1e7, 1e7, 1e7, 1e7],
      "actions": [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]})"));
  const ReplayResult result = Replay(sim::Environment(FindReplayBundle(request)), request);
  EXPECT_TRUE(result.diverged);
  ASSERT_EQ(result.rewards.size(), 1u);
  EXPECT_TRUE(result.terminated[0]);
  for (const auto& row : result.observations) {
    for (const double value : row) EXPECT_TRUE(std::isfinite(value));
  }
}

// A block with a goal, a marker at the goal and an actuator with a state.
class RecordedGoal : public ReplayFile {
 protected:
  RecordedGoal() {
    folder_.Write("goal.xml", R"(<mujoco>
  <worldbody>
    <body name="marker" mocap="true"/>
    <body name="block"><joint name="x" type="slide" axis="1 0 0"/><geom size="0.1"/></body>
  </worldbody>
  <actuator>
    <general joint="x" ctrlrange="-1 1" dyntype="filter" dynprm="0.1" actlimited="true" actrange="-1 1"/>
  </actuator>
</mujoco>)");
    spec_ = folder_
                .Write("goal.toml", R"toml(
id = "goal"
title = "Goal"
description = "A block with a goal."
model = "goal.xml"
frame_skip = 2
time_limit = 10
quantities = [ { name = "goal", uniform = [1, 3] }, { name = "x", element_of = "qpos", joint = "x" } ]
observation = [ { field = "qpos" }, { field = "xpos", body = "marker" }, { expression = "goal - x" } ]
[reset]
qpos = { uniform = 0.1 }
act = { uniform = 0.5 }
mocap_pos = { body = "marker", count = 1, set = "goal" }
[[rewards.standard]]
name = "near"
expression = "-abs(goal - x)"
)toml")
                .string();
  }

  // Plays some steps of the second episode and writes them down.
  std::filesystem::path Record() {
    const sim::Environment environment(sim::FindBundle(spec_));
    sim::Batch batch(environment, {.seed = 5, .first_unit = 1, .restart = false});
    batch.Reset();
    BeginRecording(batch, 0, episode_);
    for (const float action : {0.5f, -0.25f, 1.0f}) {
      batch.StepControls(
          std::vector<double>{RecordAction(environment, 0, action, action, episode_)});
      RecordStep(batch, 0, {}, episode_);
    }
    const std::vector<std::string> names = {"near"};
    WriteTrajectory(folder_.path() / "run.json", environment, episode_, names, episode_.returns);
    return folder_.path() / "run.json";
  }

  std::string spec_;
  data::Episode episode_;
};

TEST_F(RecordedGoal, ReplaysWithTheGoalThatWasDrawn) {
  const ReplayRequest request = ReadReplay(Record());
  const ReplayResult result = Replay(sim::Environment(FindReplayBundle(request, spec_)), request);
  std::vector<float> observations;
  for (const std::vector<double>& row : result.observations) {
    for (const double value : row) observations.push_back(static_cast<float>(value));
  }
  EXPECT_EQ(observations, episode_.observations);
  double near = 0;
  for (const std::vector<double>& row : result.rewards) near += row[0];
  EXPECT_EQ(near, episode_.returns[0]);
  EXPECT_NE(request.drawn.at("goal"), 2);  // the mean
}

TEST_F(RecordedGoal, WithoutTheGoalItIsTheMean) {
  ReplayRequest request = ReadReplay(Record());
  request.drawn.clear();
  request.act.clear();
  request.mocap_pos.clear();
  const ReplayResult result = Replay(sim::Environment(FindReplayBundle(request, spec_)), request);
  EXPECT_EQ(result.observations[0][4], 2 - request.qpos[0]);
  EXPECT_EQ(result.observations[0][1], 0);
}

TEST_F(RecordedGoal, Complaints) {
  const std::filesystem::path file = Record();
  std::ifstream in(file);
  const json recorded = json::parse(in);
  const auto complaint = [&](const char* key, const json& value) {
    json changed = recorded;
    changed["env"] = "goal.toml";
    changed[key] = value;
    return Complaint(changed.dump());
  };
  EXPECT_EQ(complaint("rewards", "standard"), "");
  EXPECT_THAT(complaint("drawn", {{"gaol", 1}}), HasSubstr("did you mean 'goal'"));
  EXPECT_THAT(complaint("drawn", {{"goal", "far"}}), HasSubstr("drawn.goal is a text"));
  EXPECT_THAT(complaint("drawn", {1}), HasSubstr("numbers by name"));
  EXPECT_THAT(complaint("mocap_pos", {1, 2}), HasSubstr("mocap_pos has 2 numbers, 'goal' takes 3"));
  EXPECT_THAT(complaint("act", {1, 2}), HasSubstr("act has 2 numbers"));
  EXPECT_THAT(complaint("env_hash", "0"), HasSubstr("another version of goal.toml"));
  EXPECT_THAT(Complaint(R"({"env": "point-v0", "qpos": [0, 0], "qvel": [0, 0], "actions": [],
                            "drawn": {"goal": 1}})"),
              HasSubstr("'point-v0' draws no quantity 'goal'"));
}

}  // namespace
}  // namespace rhumb::rollout
