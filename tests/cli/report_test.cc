#include "rhumb/cli/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/cli/stage.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json RunOf(const std::string& environment) {
  return {{"environment", environment}, {"rewards", ""}, {"scale", "smoke"}, {"seed", 1}};
}

json Measured(const std::string& measure, const json& result) {
  return {{"output", "measures/" + measure + ".json"},
          {"measure", measure},
          {"command", {"evaluate", measure}},
          {"wall_seconds", 2.0},
          {"result", result}};
}

json ReportOf(const std::string& environment, const json& stages) {
  json report = RunOf(environment);
  report["rhumb"] = "0";
  report["wall_seconds"] = 65.0;
  report["stages"] = stages;
  return report;
}

json ProbeOf(const std::string& model, double mse) {
  return {{"model", "models/" + model}, {"splits", {{"train", {{"mean_mse", mse}}}}}};
}

TEST(Report, HasEveryStageAndRowsOfTasksStayWhereTheyAre) {
  const test::ScratchFolder folder;
  // The shell takes its first word for a script.
  folder.Write("evaluate",
               "echo '{\"S\": 99, \"rows\": [1], \"beside\": [{\"rows\": [2], \"S\": 3}]}'");
  folder.Write("make", "mkdir a && echo '{\"kind\": \"x\", \"files\": {}}' > a/manifest.json");
  const std::vector<Stage> stages = {
      {"m/s.json", {"evaluate", "synthesis"}, {"--threads", "2"}, {}},
      {"m/c.json", {"evaluate", "context"}, {}, {}},
      {"a", {"make"}, {}, {}}};
  for (const Stage& stage : stages) RunStage(stage, folder.path(), "/bin/sh");
  const json report = MakeReport(RunOf("point-v0"), stages, folder.path());
  EXPECT_EQ(report["scale"], "smoke");
  const json& parts = report["stages"];
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0]["measure"], "synthesis");
  EXPECT_EQ(parts[0]["command"], json({"evaluate", "synthesis", "--threads", "2"}));
  EXPECT_EQ(parts[0]["result"], json::parse("{\"S\": 99, \"beside\": [{\"S\": 3}]}"));
  EXPECT_EQ(parts[1]["result"]["rows"], json::parse("[1]"));
  EXPECT_EQ(parts[2]["output"], "a");
  EXPECT_FALSE(parts[2].contains("measure"));
  EXPECT_EQ(parts[2]["result"]["kind"], "x");
  EXPECT_EQ(parts[2]["result"]["hash"].get<std::string>().size(), 64u);
  double seconds = 0;
  for (const json& part : parts) seconds += part["wall_seconds"].get<double>();
  EXPECT_EQ(report["wall_seconds"], seconds);
}

TEST(Report, ThePaperStandsBesideHalfCheetahAlone) {
  const json stages = json::array({Measured("probe", ProbeOf("vae", 0.125))});
  const std::string cheetah = FormatReport(ReportOf("mo-halfcheetah-v5", stages));
  EXPECT_THAT(cheetah, HasSubstr("<td>VAE (α = 0)</td><td>0.1250</td><td>–</td><td>–</td>"
                                 "<td>0.233</td><td>0.850</td>"));
  EXPECT_THAT(cheetah, HasSubstr("1m05s in all"));
  const std::string point = FormatReport(ReportOf("point-v0", stages));
  EXPECT_THAT(point, HasSubstr("<td>0.1250</td>"));
  EXPECT_THAT(point, Not(HasSubstr("0.233")));
}

TEST(Report, SeedsAreAveraged) {
  const json stages = {Measured("probe", ProbeOf("ours", 0.25)),
                       Measured("probe", ProbeOf("vae", 1)),
                       Measured("probe", ProbeOf("ours-2", 0.75))};
  EXPECT_THAT(FormatReport(ReportOf("point-v0", stages)),
              HasSubstr("<td>ours, mean of 2 seeds</td><td>0.5000</td>"));
}

TEST(Report, SynthesisHasARowPerMethodAndATablePerMode) {
  const json document = {
      {"model", "models/ours.grounded"},
      {"mode", "mean"},
      {"method", "default"},
      {"S", 100},
      {"E_targ_mean", 1.5},
      {"beside", json::array({{{"method", "lookup"}, {"S", 50}, {"E_cons", nullptr}}})}};
  const std::string page =
      FormatReport(ReportOf("mo-halfcheetah-v5", json::array({Measured("synthesis", document)})));
  EXPECT_THAT(page, HasSubstr("<td>ours</td><td>default</td><td>100.00</td><td>1.50</td>"));
  EXPECT_THAT(page, HasSubstr("<td>98.0</td><td>11.67</td><td>0.13</td>"));
  EXPECT_THAT(page, HasSubstr("<td>ours</td><td>lookup</td><td>50.00</td><td>–</td>"));
  EXPECT_THAT(page, HasSubstr("mean actions</h2>"));
  EXPECT_THAT(page, Not(HasSubstr("sampled actions</h2>")));
}

TEST(Report, NamesAreEscaped) {
  const json scores = {{"z", {{"share", 0.5}}}, {"h", {{"share", nullptr}}}};
  const json document = {{"model", "models/ours"},
                         {"splits", {{"train", {{"ordering", {{"max<x>", scores}}}}}}}};
  EXPECT_THAT(FormatReport(ReportOf("point-v0", json::array({Measured("ordering", document)}))),
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
}  // namespace rhumb::cli
