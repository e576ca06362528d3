#include "rhumb/rollout/collector.h"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>

#include "rhumb/data/dataset.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/small_disk.h"

namespace rhumb::rollout {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::ErrorOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr float kCalm = 1e-30F;  // vanishes in the rounding of any push

class CollectorTest : public testing::Test {
 protected:
  CollectorTest() {
    // The last agent hardly moves. Iteration 5 is early; iteration 12 lies between the kept ones.
    Write("p", 0.25F, [](json&) {});
    request_.population = input_.path() / "p";
    request_.out = output_.path() / "d";
    request_.config.steps_per_policy = 250;
    request_.config.selection.skip_iterations = 5;
    request_.job.quiet = true;
  }

  template <class Change>
  void Write(const std::string& name, float deviation, Change change) const {
    population::WriteSamplePopulation(input_.path() / name, environment_,
                                      {{0, {1, 0}, {5, 10, 12, 15}, {1, 0}},
                                       {1, {0.5, 0.5}, {5, 10, 12, 15}, {0.75F, 0}},
                                       {2, {0.25, 0.75}, {5, 10, 12, 15}, {0.5F, 0}},
                                       {3, {0, 1}, {5, 10, 12, 15}, {0, 0}}},
                                      deviation, change);
  }

  std::string ErrorOfCollecting() const {
    return ErrorOf([&] { CollectDataset(request_); });
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const test::ScratchFolder input_, output_;
  CollectRequest request_;
};

TEST_F(CollectorTest, PoliciesEpisodesAndSplitsByHand) {
  Write("calm", kCalm, [](json&) {});
  request_.population = input_.path() / "calm";
  request_.job.seed = 9;
  ASSERT_EQ(CollectDataset(request_), core::Outcome::kDone);
  const data::Dataset dataset = data::Dataset::Open(request_.out);
  dataset.artifact().Verify();
  const data::DatasetIndex& index = dataset.index();
  ASSERT_EQ(index.policies.size(), 16u);
  using data::Verdict;
  for (std::size_t i = 0; i < 16; ++i) {
    const data::Policy& policy = index.policies[i];
    EXPECT_EQ(policy.agent, static_cast<int>(i / 4));
    EXPECT_EQ(policy.file, fmt::format("agents/agent_{:03}.safetensors", i / 4));
    const Verdict expected = i % 4 == 0   ? Verdict::kEarly
                             : i % 4 == 2 ? Verdict::kThinned
                             : i >= 12    ? Verdict::kStationary
                                          : Verdict::kKept;
    EXPECT_EQ(policy.verdict, expected) << policy.reason;
    EXPECT_EQ(policy.measured_episodes, i % 2 == 1 ? 3 : 0);
  }
  // Two policies of three agents, 3 episodes of 100 steps each, in policy order.
  ASSERT_EQ(index.episodes.size(), 18u);
  EXPECT_EQ(index.transitions(), 1800);
  const std::vector<int> policies = {1, 3, 5, 7, 9, 11};
  const std::vector<double> pushes = {1, 0.75, 0.5};
  data::Episode episode;
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_EQ(index.episodes[i].policy, policies[i / 3]);
    EXPECT_EQ(index.episodes[i].seed, 9u);
    const double push = pushes[i / 6];
    EXPECT_NEAR(index.episodes[i].returns[1], -100 * push * push, 1e-9);
    dataset.ReadEpisode(static_cast<std::int64_t>(i), episode);
    EXPECT_EQ(data::FindNonFinite(episode), "");
    EXPECT_EQ(episode.actions[0], static_cast<float>(push));
  }
  // The middle weight is held out, and one checkpoint of the other weights.
  EXPECT_EQ(index.policies[5].split, data::Split::kHeldOutWeight);
  EXPECT_EQ(index.policies[7].split, data::Split::kHeldOutWeight);
  EXPECT_EQ(dataset.EpisodesOf(data::Split::kHeldOutCheckpoint).size(), 3u);

  const json& manifest = dataset.artifact().manifest();
  EXPECT_EQ(manifest["counts"]["left_out"],
            json({{"early", 4}, {"thinned", 4}, {"stationary", 2}}));
  EXPECT_EQ(manifest["parents"]["population"],
            population::PopulationReader(request_.population).artifact().hash());
  EXPECT_EQ(manifest["config"]["steps_per_policy"], 250);
}

// Six policies, two per push; the pushes cost 100, 56.25 and 25. The three nearest to the middle
// are both of the held-out weight and one of the last, whose start brings it nearer.
TEST_F(CollectorTest, AHoleByHand) {
  Write("calm", kCalm, [](json&) {});
  request_.population = input_.path() / "calm";
  request_.config.split.held_out_checkpoints = 0;
  request_.config.split.hole = 0.5;
  CollectDataset(request_);
  const data::Dataset dataset = data::Dataset::Open(request_.out);
  const std::vector<std::int64_t> episodes = dataset.EpisodesOf(data::Split::kHole);
  ASSERT_EQ(episodes.size(), 3u);
  for (const std::int64_t episode : episodes) {
    EXPECT_NEAR(dataset.index().episodes[static_cast<std::size_t>(episode)].returns[1], -25, 1e-9);
  }
  EXPECT_EQ(dataset.EpisodesOf(data::Split::kHeldOutWeight).size(), 6u);
  EXPECT_EQ(dataset.EpisodesOf(data::Split::kTrain).size(), 9u);
  const json& manifest = dataset.artifact().manifest();
  EXPECT_EQ(manifest["counts"]["splits"]["hole"]["policies"], 1);
  EXPECT_EQ(manifest["config"]["split"]["hole"], 0.5);
}

TEST_F(CollectorTest, ThreadsChangeNoByte) {
  std::vector<std::string> files, indices;
  for (const int threads : {1, 2, 5}) {
    request_.job.threads = threads;
    request_.out = output_.path() / std::to_string(threads);
    CollectDataset(request_);
    files.push_back(test::Contents(request_.out / "data/main_data.hdf5"));
    indices.push_back(test::Contents(request_.out / "dataset.json"));
  }
  EXPECT_GT(files[0].size(), 100000u);
  EXPECT_TRUE(files[1] == files[0] && files[2] == files[0]);
  EXPECT_TRUE(indices[1] == indices[0] && indices[2] == indices[0]);
  request_.job.seed = 1;
  request_.out = output_.path() / "other";
  CollectDataset(request_);
  EXPECT_FALSE(test::Contents(request_.out / "data/main_data.hdf5") == files[0]);
}

TEST_F(CollectorTest, StoppedLeavesNothing) {
  std::atomic<int> asked = 0;
  request_.job.threads = 3;
  request_.job.should_stop = [&] { return ++asked > 50; };
  EXPECT_EQ(CollectDataset(request_), core::Outcome::kStopped);
  EXPECT_THAT(output_.List(), IsEmpty());
}

TEST_F(CollectorTest, BadInputLeavesNothing) {
  const fs::path good = request_.population;
  request_.population = input_.path() / "none";
  EXPECT_THAT(ErrorOfCollecting(), HasSubstr("there is no folder "));

  Write("renamed", kCalm, [](json& d) { d["objectives"][0]["name"] = "speed"; });
  request_.population = input_.path() / "renamed";
  EXPECT_THAT(ErrorOfCollecting(), HasSubstr("the objectives speed, energy; its environment has"));

  Write("small", kCalm, [](json& d) { d["observation_size"] = 1; });
  request_.population = input_.path() / "small";
  EXPECT_THAT(ErrorOfCollecting(), HasSubstr("it describes 1 observations, 2 actions"));

  request_.population = good;
  request_.job.seed = ~std::uint64_t{0};
  EXPECT_THAT(ErrorOfCollecting(), HasSubstr("seed 18446744073709551615 is above"));
  request_.job.seed = 0;

  request_.config.selection.skip_iterations = 1000;
  EXPECT_THAT(ErrorOfCollecting(),
              HasSubstr("no episode is left to write; of 16 policies 16 early"));
  request_.config.selection.skip_iterations = 5;

  const fs::path file = good / "agents/agent_002.safetensors";
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('\0');
  for (const int threads : {1, 3}) {
    request_.job.threads = threads;
    EXPECT_THAT(ErrorOfCollecting(), HasSubstr("agents/agent_002.safetensors have changed"));
  }
  EXPECT_THAT(output_.List(), IsEmpty());
}

TEST_F(CollectorTest, AFullDiskIsAnErrorAndLeavesNothing) {
  const test::SmallDisk disk(output_.path());
  request_.config.steps_per_policy = 2000;
  for (const int threads : {1, 3}) {
    request_.job.threads = threads;
    EXPECT_THAT(ErrorOfCollecting(),
                AnyOf(HasSubstr("No space left"), HasSubstr("File too large")));
    EXPECT_THAT(output_.List(), IsEmpty());
  }
}

}  // namespace
}  // namespace rhumb::rollout
