#include "rhumb/cli/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>

namespace rhumb::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Command, WritesEachKindOfValue) {
  CLI::App app;
  Command command(app);
  int count = 0;
  bool loud = false;
  std::filesystem::path out;
  std::optional<double> share;
  std::vector<int> agents;
  std::vector<std::string> targets;
  command.Add("OUT", out, "", kRequired);
  command.Add("--count", count, "", {.between = {1, 9}});
  command.AddFlag("--loud", loud, "");
  command.Add("--share", share, "");
  command.Add("--agents", agents, "", {.delimiter = ','});
  command.Add("--target", targets, "", {.one_per_use = true});
  app.parse("--target a --count 3 --target b --loud --agents 4,5 place");
  EXPECT_EQ(out, "place");
  EXPECT_EQ(count, 3);
  EXPECT_TRUE(loud);
  EXPECT_FALSE(share);
  EXPECT_THAT(agents, ElementsAre(4, 5));
  EXPECT_THAT(targets, ElementsAre("a", "b"));
  EXPECT_THROW(app.parse("--count 10 place"), CLI::ParseError);
  EXPECT_THROW(app.parse("--count 3"), CLI::ParseError);
}

TEST(Command, RulesBetweenOptions) {
  CLI::App app;
  Command command(app);
  std::string a, b, mode = "sampled";
  const Option of_a = command.Add("--a", a, "");
  command.Add("--b", b, "", {.needs = {of_a}});
  command.Add("--mode", mode, "",
              {.one_of = {"sampled", "mean"}, .excludes = {of_a}, .show_default = true});
  EXPECT_THAT(app.help(), HasSubstr("=sampled"));
  EXPECT_THROW(app.parse("--b 1"), CLI::ParseError);
  EXPECT_THROW(app.parse("--a 1 --mode mean"), CLI::ParseError);
  EXPECT_THROW(app.parse("--mode other"), CLI::ParseError);
  app.parse("--a 1 --b 2");
  EXPECT_EQ(a + b, "12");
  command.Remove("--b");
  EXPECT_THROW(app.parse("--b 2"), CLI::ParseError);
}

TEST(Command, GroupsAndActions) {
  CLI::App app("", "rhumb");
  Command root(app);
  Command group = root.AddCommand("dataset", "");
  group.RequireCommand();
  Command show = group.AddCommand("show", "");
  EXPECT_EQ(group.FullName(), "dataset");
  EXPECT_EQ(show.FullName(), "dataset show");
  std::string taken;
  show.AddChoice(
      "--device", {"cpu", "cuda"}, "cpu", [&](const std::string& word) { taken = word; }, "");
  bool ran = false;
  show.SetAction([&] { ran = true; });
  EXPECT_THROW(app.parse("dataset"), CLI::ParseError);
  app.parse("dataset show --device cuda");
  EXPECT_TRUE(ran);
  EXPECT_EQ(taken, "cuda");
}

}  // namespace
}  // namespace rhumb::cli
