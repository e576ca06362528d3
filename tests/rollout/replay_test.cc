#include "rhumb/rollout/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

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

}  // namespace
}  // namespace rhumb::rollout
