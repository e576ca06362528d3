#include "rhumb/ground/code_grounding.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rhumb/core/files/file.h"
#include "tests/rollout/echo_folders.h"
#include "tests/support/error_expectation.h"

namespace rhumb::ground {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// 60 codes of the echo, which cost 100 |h|^2 with mean actions.
class CodeGrounding : public testing::Test {
 protected:
  CodeGrounding() {
    fs::create_directory(options_.work);
    mode_.mode = net::RolloutMode::kMean;
    mode_.episodes = 2;
    for (int i = 0; i < 60; ++i) {
      mode_.codes.insert(mode_.codes.end(), {0.01f * static_cast<float>(i), 0.3f});
      mode_.policies.push_back(i);
    }
  }

  core::Outcome Ground() {
    return GroundCodes(folders_.environment, {&mode_, 1}, options_, model_);
  }
  // Stores other results of the same roll-outs, which took 1.5 s.
  void ChangeChunk(const net::SafetensorsFile& saved, const std::vector<double>& values,
                   const std::vector<std::uint8_t>& diverged) const {
    net::SafetensorsWriter changed;
    changed.Add("values", saved.shape("values"), std::span(values));
    changed.Add("lengths", saved.shape("lengths"),
                std::span<const std::int64_t>(saved.Integers("lengths")));
    changed.Add("diverged", saved.shape("diverged"), std::span(diverged));
    changed.Add("seconds", {1}, std::vector<double>{1.5});
    core::WriteFileAtomically(chunk_, changed.Bytes());
  }
  const net::CodeTable& Table() const { return model_.grounded[1].value().rolled_out; }

  const rollout::EchoFolders folders_;
  net::Model model_ = net::ReadModel(folders_.model());
  CodesToGround mode_;
  GroundingOptions options_{.work = folders_.file("work"), .job = {.quiet = true}};
  const fs::path chunk_ = folders_.file("work") / "mean_00000.safetensors";
};

TEST_F(CodeGrounding, TabulatesWhatCodesRealise) {
  ASSERT_EQ(Ground(), core::Outcome::kDone);
  EXPECT_FALSE(model_.grounded[0]) << "the other mode is not grounded";
  ASSERT_EQ(Table().count(), 60);
  EXPECT_EQ(Table().policies, mode_.policies);
  for (std::size_t i = 0; i < 60; ++i) {
    const double x = 0.01 * static_cast<double>(i);
    EXPECT_NEAR(Table().values[2 * i + 1], -100 * (x * x + 0.09), 1e-4) << i;
  }
  const nlohmann::json& metrics = (*model_.metrics)["grounded"]["mean"];
  EXPECT_EQ(metrics["codes"], 60);
  // Neighbours tell what a code in their midst costs.
  EXPECT_LT(metrics["objectives"]["energy"]["mse"], 0.01);
}

TEST_F(CodeGrounding, AStoppedRunKeepsItsChunks) {
  options_.job.should_stop = [] { return true; };
  EXPECT_EQ(Ground(), core::Outcome::kStopped);
  EXPECT_FALSE(fs::exists(chunk_));
  options_.job.should_stop = [this] { return fs::exists(chunk_); };
  EXPECT_EQ(Ground(), core::Outcome::kStopped);
  EXPECT_TRUE(fs::exists(chunk_));
  EXPECT_FALSE(model_.grounded[1]);
}

// Code 3 diverges in both of its episodes, code 7 in one.
TEST_F(CodeGrounding, CodesWithoutUsableEpisodesAreLeftOut) {
  ASSERT_EQ(Ground(), core::Outcome::kDone);
  const net::SafetensorsFile saved(chunk_);
  std::vector<std::uint8_t> diverged = saved.RawBytes("diverged");
  diverged[2 * 3] = diverged[2 * 3 + 1] = diverged[2 * 7] = 1;
  ChangeChunk(saved, saved.Doubles("values"), diverged);

  ASSERT_EQ(Ground(), core::Outcome::kDone);
  ASSERT_EQ(Table().count(), 59);
  EXPECT_EQ(Table().policies[3], 4);
  EXPECT_EQ(Table().deviations[2 * 6], 0) << "one episode has no deviation";
  const nlohmann::json& metrics = (*model_.metrics)["grounded"]["mean"];
  EXPECT_EQ(metrics["codes_left_out"], 1);
  EXPECT_EQ(metrics["diverged_episodes"], 3);
  EXPECT_EQ(metrics["seconds"], 1.5);
}

// A round follows the codes that were given. A child of codes 0.01 i is between two of them.
TEST_F(CodeGrounding, ExploredCodesFollow) {
  mode_.explored = 30;
  ASSERT_EQ(Ground(), core::Outcome::kDone);
  ASSERT_EQ(Table().count(), 90);
  for (std::size_t i = 0; i < 90; ++i) {
    const double x = Table().codes[2 * i];
    EXPECT_GE(x, 0);
    EXPECT_LE(x, 0.59 + 1e-6);
    EXPECT_NEAR(Table().values[2 * i + 1], -100 * (x * x + 0.09), 1e-4) << i;
    EXPECT_EQ(Table().policies[i], i < 60 ? static_cast<std::int64_t>(i) : -1);
  }
  const nlohmann::json& metrics = (*model_.metrics)["grounded"]["mean"];
  EXPECT_EQ(metrics["codes"], 90);
  EXPECT_EQ(metrics["explored_codes"], 30);
  EXPECT_GT(metrics["cells_of_policies"], 3);
  EXPECT_GE(metrics["cells"], metrics["cells_of_policies"]);

  // The same codes, now all given, are rolled out to the same values.
  const net::CodeTable before = Table();
  mode_.explored = 0;
  mode_.codes = before.codes;
  mode_.policies = before.policies;
  const int cells_before = metrics["cells"], policy_cells_before = metrics["cells_of_policies"];
  fs::remove_all(options_.work);
  fs::create_directory(options_.work);
  ASSERT_EQ(Ground(), core::Outcome::kDone);
  EXPECT_EQ(Table().values, before.values);
  const nlohmann::json& again = (*model_.metrics)["grounded"]["mean"];
  EXPECT_EQ(again["explored_codes"], 30);
  EXPECT_EQ(again["cells"], cells_before);
  EXPECT_EQ(again["cells_of_policies"], policy_cells_before);
}

// Two neighbours repeat themselves, and all the others scatter by a tenth of the range. Children of
// the two alone would stay between 0.10 and 0.11.
TEST_F(CodeGrounding, ExplorationLeavesTheSteadiestCodes) {
  ASSERT_EQ(Ground(), core::Outcome::kDone);
  const net::SafetensorsFile saved(chunk_);
  std::vector<double> values = saved.Doubles("values");  // [60, 2 episodes, 2 objectives]
  const net::ModelObjective& first = model_.description.objectives[0];
  for (std::size_t code = 0; code < 60; ++code) {
    if (code != 10 && code != 11) values[4 * code] += 0.1 * (first.max - first.min);
  }
  ChangeChunk(saved, values, saved.RawBytes("diverged"));
  mode_.explored = 30;
  ASSERT_EQ(Ground(), core::Outcome::kDone);
  int elsewhere = 0;
  for (std::size_t i = 60; i < 90; ++i) {
    const float x = Table().codes[2 * i];
    elsewhere += x < 0.09f || x > 0.12f;
  }
  EXPECT_GE(elsewhere, 20);
}

TEST_F(CodeGrounding, ChunksOfOtherCodesAreRefused) {
  ASSERT_EQ(Ground(), core::Outcome::kDone);
  mode_.codes.resize(2 * 50);
  EXPECT_THAT(test::ErrorOf([&] { Ground(); }),
              HasSubstr("does not hold the roll-outs of 50 codes x 2 episodes"));
}

}  // namespace
}  // namespace rhumb::ground
