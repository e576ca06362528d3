#include "rhumb/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/pipeline/stage.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json RunOf(const std::string& environment) {
  return {{"environment", environment}, {"rewards", ""}, {"scale", "smoke"}, {"seed", 1}};
}

json Measured(const std::string& output, const json& result) {
  return {{"output", "measures/" + output + ".json"},
          {"command", {"evaluate", output}},
          {"wall_seconds", 2.0},
          {"result", result}};
}

std::string PageOf(const std::string& environment, const json& stages,
                   const std::vector<FigureFile>& figures = {}) {
  json report = RunOf(environment);
  report["rhumb"] = "0";
  report["wall_seconds"] = 65.0;
  report["stages"] = stages;
  report["attributes"] = {{{"name", "height"}, {"expression", "mean(z)"}, {"unit", "m"}}};
  return FormatReport(report, figures);
}

json ProbeOf(const std::string& model, double mse) {
  return {{"model", "models/" + model}, {"splits", {{"train", {{"mean_mse", mse}}}}}};
}

// A synthesis document of steering and a lookup, by their E_targ.
json SynthesisOf(double steered, double looked_up) {
  const json lookup = {{"method", "lookup"},
                       {"S", 50},
                       {"E_targ_mean", looked_up},
                       {"E_cons", 0},
                       {"E_targ_median", nullptr}};
  return {{"model", "models/ours.grounded"},
          {"mode", "mean"},
          {"method", "default"},
          {"S", 100},
          {"E_targ_mean", steered},
          {"E_cons", 0},
          {"noise", 0.25},
          {"beside", json::array({lookup})}};
}

TEST(Report, HasEveryStageAndWhatIsLongStaysWhereItIs) {
  const test::ScratchFolder folder;
  // The shell takes its first word for a script.
  folder.Write("synthesis",
               "echo '{\"S\": 99, \"rows\": [1], \"beside\": [{\"rows\": [2], \"S\": 3}]}'");
  folder.Write("context", "echo '{\"rows\": [1]}'");
  folder.Write("geometry", "echo '{\"dimension\": 3, \"contexts\": {\"codes\": [[1]]}}'");
  folder.Write("paths",
               "echo '{\"landscape\": {}, \"paths\": [{\"gap\": [4], \"points\": "
               "[{\"iteration\": 0}, {\"iteration\": 5, \"code\": [1]}]}]}'");
  folder.Write("make", "mkdir a && echo '{\"kind\": \"x\", \"files\": {}}' > a/manifest.json");
  const std::vector<pipeline::Stage> stages = {
      {"measures/constraints/1-mean.json", {"synthesis"}, {"--threads", "2"}, {}},
      {"measures/context/ours.json", {"context"}, {}, {}},
      {"measures/geometry/ours.json", {"geometry"}, {}, {}},
      {"measures/paths/ours.json", {"paths"}, {}, {}},
      {"a", {"make"}, {}, {}}};
  for (const pipeline::Stage& stage : stages) pipeline::RunStage(stage, folder.path(), "/bin/sh");
  const json report = MakeReport(RunOf("point-v0"), stages, folder.path());
  EXPECT_EQ(report["scale"], "smoke");
  const json& parts = report["stages"];
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_EQ(parts[0]["command"], json({"synthesis", "--threads", "2"}));
  EXPECT_EQ(parts[0]["result"], json::parse("{\"S\": 99, \"beside\": [{\"S\": 3}]}"));
  EXPECT_EQ(parts[1]["result"], json::parse("{\"rows\": [1]}"));
  EXPECT_EQ(parts[2]["result"], json::parse("{\"dimension\": 3}"));
  EXPECT_EQ(parts[3]["result"],
            json::parse("{\"paths\": [{\"gap\": [4], \"end\": {\"iteration\": 5}}]}"));
  EXPECT_EQ(parts[4]["output"], "a");
  EXPECT_EQ(parts[4]["result"]["kind"], "x");
  EXPECT_EQ(parts[4]["result"]["hash"].get<std::string>().size(), 64u);
  double seconds = 0;
  for (const json& part : parts) seconds += part["wall_seconds"].get<double>();
  EXPECT_EQ(report["wall_seconds"], seconds);
}

TEST(Report, ThePaperStandsBesideHalfCheetahAlone) {
  const json stages = json::array({Measured("probe/vae", ProbeOf("vae", 0.125))});
  const std::string cheetah = PageOf("mo-halfcheetah-v5", stages);
  EXPECT_THAT(cheetah, HasSubstr("<td>VAE (α = 0)</td><td>0.1250</td><td>–</td><td>–</td>"
                                 "<td>0.233</td><td>0.850</td>"));
  EXPECT_THAT(cheetah, HasSubstr("1m05s of work"));
  const std::string point = PageOf("point-v0", stages);
  EXPECT_THAT(point, HasSubstr("<td>0.1250</td>"));
  EXPECT_THAT(point, Not(HasSubstr("0.233")));
}

TEST(Report, SeedsAreAveragedAndABetterRivalIsNamed) {
  const json stages = {Measured("probe/ours", ProbeOf("ours", 0.25)),
                       Measured("probe/vae", ProbeOf("vae", 1)),
                       Measured("probe/mean_pool", ProbeOf("mean_pool", 0.4)),
                       Measured("probe/ours-2", ProbeOf("ours-2", 0.75))};
  const std::string page = PageOf("point-v0", stages);
  EXPECT_THAT(page, HasSubstr("<td>ours, mean of 2 seeds</td><td>0.5000</td>"));
  EXPECT_THAT(page, HasSubstr("on training ours has 0.5000, mean-pool encoder 0.4000."));
  EXPECT_THAT(PageOf("mo-halfcheetah-v5", stages),
              HasSubstr("our splits: on training 0.5000 against 0.029"));
}

TEST(Report, SynthesisHasARowPerMethodAndATablePerMode) {
  const json stages = json::array({Measured("synthesis/ours-mean", SynthesisOf(1.5, 1.75))});
  const std::string page = PageOf("mo-halfcheetah-v5", stages);
  EXPECT_THAT(page, HasSubstr("<td>ours</td><td>default</td><td>100.00</td><td>1.50</td>"));
  EXPECT_THAT(page, HasSubstr("<td>98.0</td><td>11.67</td><td>0.13</td>"));
  EXPECT_THAT(page, HasSubstr("<td>ours</td><td>lookup</td><td>50.00</td><td>1.75</td><td>–</td>"));
  EXPECT_THAT(page, HasSubstr("mean actions</h2>"));
  EXPECT_THAT(page, Not(HasSubstr("sampled actions</h2>")));
  EXPECT_THAT(page, Not(HasSubstr("class=\"worse\"")));
}

TEST(Report, SaysWhereLookupOrThePaperIsBetter) {
  const auto page = [](double steered, double looked_up) {
    return PageOf("mo-halfcheetah-v5",
                  json::array({Measured("synthesis/ours-mean", SynthesisOf(steered, looked_up))}));
  };
  EXPECT_THAT(page(1.5, 0.5),
              HasSubstr("Lookup beats steering with mean actions: E_targ 1.50 against 0.50 %."));
  EXPECT_THAT(page(0.5, 0.375), HasSubstr("(less apart than the noise, 0.25)"));
  EXPECT_THAT(page(12, 13), HasSubstr("E_targ is 12.00 % against 11.67"));
}

TEST(Report, SaysWhichRivalsComeNearer) {
  const auto page = [](double theirs) {
    json rival = SynthesisOf(theirs, 9);
    rival["model"] = "models/vae";
    return PageOf("point-v0", json::array({Measured("synthesis/ours-mean", SynthesisOf(1.5, 2)),
                                           Measured("synthesis/vae-mean", rival)}));
  };
  EXPECT_THAT(page(1.25), HasSubstr("With mean actions others come nearer to the targets than our "
                                    "1.50 %:"));
  EXPECT_THAT(page(1.25), HasSubstr("default: 1.25."));
  EXPECT_THAT(page(1.75), Not(HasSubstr("others come nearer")));
}

TEST(Report, ConstraintsAreCountedAndTheHoleStandsBeside) {
  const json stages = {Measured("constraints/1-mean", SynthesisOf(2, 1)),
                       Measured("constraints/2-mean", SynthesisOf(2, 3)),
                       Measured("hole/mean", SynthesisOf(4, 5))};
  const std::string page = PageOf("point-v0", stages);
  EXPECT_THAT(page, HasSubstr("height = mean(z)"));
  EXPECT_THAT(page, HasSubstr("<td>2 requirements</td><td>lookup</td><td>50.00</td><td>3.00</td>"));
  EXPECT_THAT(page, HasSubstr("<td>inside the hole</td><td>default</td><td>100.00</td>"));
  EXPECT_THAT(page, HasSubstr("worse than lookup at 1 requirement (E_targ 2.00 against 1.00 %)."));
}

TEST(Report, FiguresStandWhereTheyAreDrawnAndAreMissedWhereTheyAreNot) {
  const json stages = json::array({Measured(
      "context/ours", json::parse("{\"splits\": {\"train\": {\"rows\": [{\"context\": 4}]}}}"))});
  const std::string without = PageOf("point-v0", stages);
  EXPECT_THAT(without, HasSubstr("2 of 2 figures are not drawn"));
  EXPECT_THAT(without, Not(HasSubstr("<img")));
  const std::string with =
      PageOf("point-v0", stages, {{"context", "figures/context.png", "figures/context.svg"}});
  EXPECT_THAT(with, HasSubstr("1 of 2 figures are not drawn"));
  EXPECT_THAT(with, HasSubstr("<a href=\"figures/context.svg\"><img src=\"figures/context.png\""));
}

TEST(Report, NamesAreEscaped) {
  const json scores = {{"z", {{"share", 0.5}}}, {"h", {{"share", nullptr}}}};
  const json document = {{"model", "models/ours"},
                         {"splits", {{"train", {{"ordering", {{"max<x>", scores}}}}}}}};
  EXPECT_THAT(PageOf("point-v0", json::array({Measured("ordering/ours", document)})),
              HasSubstr("<td>training</td><td>max&lt;x&gt;</td><td>50.00</td><td>–</td>"));
}

TEST(Report, CommandsAreAScript) {
  const json stages = {{{"output", "population"}, {"command", {"population", "train"}}},
                       {{"output", "measures/p/a.json"}, {"command", {"evaluate", "it's"}}}};
  EXPECT_EQ(FormatCommands({{"stages", stages}}),
            "#!/bin/sh\n# Everything in this report, by hand.\nset -e\ncd \"$(dirname \"$0\")\"\n"
            "rhumb population train\n"
            "mkdir -p measures/p\n"
            "rhumb evaluate 'it'\\''s' > measures/p/a.json\n");
}

}  // namespace
}  // namespace rhumb::report
