#include "rhumb/learn/ppo/population.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>

#include "rhumb/core/files/file.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/sim/catalogue.h"
#include "tests/learn/ppo/small_cohort.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::ppo {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

PopulationRequest RequestOf(const fs::path& out) {
  PopulationRequest request;
  request.environment = "point-v0";
  request.rewards = "two";
  request.out = out;
  request.config.count = 3;
  request.config.iterations = 4;
  request.config.keep_every = 2;
  request.config.checkpoint_every = 1;
  request.config.ppo = SmallPpo();
  request.job.seed = 7;
  request.job.quiet = true;
  return request;
}

std::string AgentBytes(const fs::path& out, int agent) {
  return core::ReadFile(out / "agents" / fmt::format("agent_{:03}.safetensors", agent), 1 << 20);
}

TEST(TrainPopulation, StoppedAndResumedItIsTheSame) {
  const test::ScratchFolder scratch;
  const PopulationRequest whole = RequestOf(scratch.path() / "whole");
  ASSERT_EQ(TrainPopulation(whole), core::Outcome::kDone);

  PopulationRequest stopped = RequestOf(scratch.path() / "stopped");
  std::atomic<int> calls = 0;
  stopped.job.should_stop = [&] { return ++calls > 6; };
  ASSERT_EQ(TrainPopulation(stopped), core::Outcome::kStopped);
  EXPECT_TRUE(fs::exists(scratch.path() / "stopped.work"));
  stopped.job.should_stop = [] { return false; };
  ASSERT_EQ(TrainPopulation(stopped), core::Outcome::kDone);
  for (int agent = 0; agent < 3; ++agent) {
    EXPECT_EQ(AgentBytes(stopped.out, agent), AgentBytes(whole.out, agent)) << agent;
  }
}

TEST(TrainPopulation, AnAgentAloneIsThatOfThePopulation) {
  const test::ScratchFolder scratch;
  PopulationRequest request = RequestOf(scratch.path() / "all");
  ASSERT_EQ(TrainPopulation(request), core::Outcome::kDone);
  request.out = scratch.path() / "one";
  request.agents = {1};
  ASSERT_EQ(TrainPopulation(request), core::Outcome::kDone);
  EXPECT_EQ(AgentBytes(scratch.path() / "one", 1), AgentBytes(scratch.path() / "all", 1));
  EXPECT_FALSE(fs::exists(scratch.path() / "one" / "agents" / "agent_000.safetensors"));
}

// A copy of the point mass whose policies train in episodes of three steps.
TEST(TrainPopulation, TheSpecsTrainingCanBeSwitchedOff) {
  const test::ScratchFolder scratch;
  const core::EnvironmentBundle bundle = sim::FindBundle("point-v0", "two");
  for (const auto& [name, bytes] : bundle.files) {
    core::WriteFileAtomically(scratch.path() / name, bytes);
  }
  std::string spec = bundle.files.at(bundle.spec);
  spec.replace(spec.find("\"point-v0\""), 10, "\"short-point\"");
  core::WriteFileAtomically(scratch.path() / "short.toml", spec + "\n[training]\ntime_limit = 3\n");
  const auto length = [&](const char* name, bool training) {
    PopulationRequest request = RequestOf(scratch.path() / name);
    request.environment = (scratch.path() / "short.toml").string();
    request.config.training = training;
    EXPECT_EQ(TrainPopulation(request), core::Outcome::kDone);
    const population::PopulationReader reader(request.out);
    return reader.description().agents[0].curves.episode_length.back();
  };
  EXPECT_EQ(length("short", true), 3);
  EXPECT_GT(length("long", false), 3);
}

TEST(TrainPopulation, AnAgentThatDoesNotExistIsAnError) {
  const test::ScratchFolder scratch;
  PopulationRequest request = RequestOf(scratch.path() / "p");
  request.agents = {3};
  EXPECT_THAT(test::ErrorOf([&] { TrainPopulation(request); }),
              HasSubstr("there are agents 0 to 2, not 3"));
  EXPECT_FALSE(fs::exists(scratch.path() / "p.work"));
}

}  // namespace
}  // namespace rhumb::learn::ppo
