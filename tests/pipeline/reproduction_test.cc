#include "rhumb/pipeline/reproduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rhumb/sim/catalogue.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ReproductionChoice Choice() {
  return {.environment = sim::FindBundle("point-v0", "two"),
          .scale = "smoke",
          .seed = 3,
          .population = {"count=3"}};
}

TEST(Reproduction, IsReadAsItWasBegun) {
  const test::ScratchFolder folder;
  OpenReproduction(folder.path() / "run", Choice());
  const Reproduction read = ReadReproduction(folder.path() / "run");
  EXPECT_EQ(read.request.scale, "smoke");
  EXPECT_EQ(read.request.seed, 3u);
  EXPECT_EQ(read.request.rewards, "two");
  EXPECT_EQ(read.request.spec, "environment/point-v0.toml");
  EXPECT_THAT(read.request.files,
              ElementsAre("environment/point-v0.toml", "environment/point_mass.xml"));
  EXPECT_THAT(read.request.population, ElementsAre("count=3"));
  EXPECT_THAT(FormatCommand(MakePlan(read.request).front().words), HasSubstr("--set count=3"));
  EXPECT_EQ(EnvironmentOf(folder.path() / "run").hash(), Choice().environment.hash());
}

TEST(Reproduction, AnotherOneIsRefused) {
  const test::ScratchFolder folder;
  const auto run = folder.path() / "run";
  OpenReproduction(run, Choice());
  ReproductionChoice other = Choice();
  other.seed = 4;
  EXPECT_THAT(test::ErrorOf([&] { OpenReproduction(run, other); }),
              HasSubstr("whose seed is 3, not 4"));
  other = Choice();
  other.population = {"count=4"};
  EXPECT_THAT(test::ErrorOf([&] { OpenReproduction(run, other); }), HasSubstr("population"));
  folder.Write("mine.txt", "mine");
  EXPECT_THAT(test::ErrorOf([&] { OpenReproduction(folder.path(), Choice()); }),
              HasSubstr("not empty"));
}

TEST(Reproduction, DamageIsNamed) {
  const test::ScratchFolder folder;
  EXPECT_THAT(test::ErrorOf([&] { ReadReproduction(folder.path()); }), HasSubstr("has no run"));
  OpenReproduction(folder.path() / "run", Choice());
  const std::string file = "run/reproduce.json";
  Reproduction read = ReadReproduction(folder.path() / "run");
  read.run.erase("seed");
  read.SaveRun();
  EXPECT_THAT(test::ErrorOf([&] { ReadReproduction(folder.path() / "run"); }),
              HasSubstr("no scale or no seed"));
  folder.Write(file, "{}");
  EXPECT_THAT(test::ErrorOf([&] { ReadReproduction(folder.path() / "run"); }),
              HasSubstr("names no environment"));
}

TEST(Reproduction, AnotherRobotInItsFolderIsNamed) {
  const test::ScratchFolder folder;
  OpenReproduction(folder.path() / "run", Choice());
  const std::string spec = test::Contents(folder.path() / "run/environment/point-v0.toml");
  folder.Write("run/environment/point-v0.toml", spec + "\n# changed\n");
  EXPECT_THAT(test::ErrorOf([&] { ReadReproduction(folder.path() / "run"); }),
              HasSubstr("is not the one of reproduce.json"));
}

TEST(UpdateFile, KeepsTheTimeOfAFileThatIsRight) {
  const test::ScratchFolder folder;
  const auto file = folder.Write("a", "1");
  const auto time = std::filesystem::last_write_time(file) - std::chrono::hours(1);
  std::filesystem::last_write_time(file, time);
  UpdateFile(file, "1");
  EXPECT_EQ(std::filesystem::last_write_time(file), time);
  UpdateFile(file, "2");
  EXPECT_EQ(test::Contents(file), "2");
}

}  // namespace
}  // namespace rhumb::pipeline
