#include "rhumb/report/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/pipeline/stage.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::report {
namespace {

using nlohmann::json;

json RunOf(const std::string& environment) {
  return {{"environment", environment}, {"rewards", ""}, {"scale", "smoke"}, {"seed", 1}};
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
  folder.Write("between",
               "echo '{\"tasks\": {\"count\": 2, \"list\": [1]}, \"methods\": [{\"rows\": [1], "
               "\"met\": 7}]}'");
  folder.Write(
      "front",
      "echo '{\"tried\": {\"map\": [[1, 2]]}, \"tables\": [{\"fronts\": [{\"points\": [[1, 2]], "
      "\"numbers\": [3], \"cardinality\": 1}]}]}'");
  folder.Write("make", "mkdir a && echo '{\"kind\": \"x\", \"files\": {}}' > a/manifest.json");
  const std::vector<pipeline::Stage> stages = {
      {"measures/constraints/1-mean.json", {"synthesis"}, {"--threads", "2"}, {}},
      {"measures/context/ours.json", {"context"}, {}, {}},
      {"measures/geometry/ours.json", {"geometry"}, {}, {}},
      {"measures/paths/ours.json", {"paths"}, {}, {}},
      {"a", {"make"}, {}, {}},
      {"measures/between/mean.json", {"between"}, {}, {}},
      {"measures/front/mean.json", {"front"}, {}, {}}};
  for (const pipeline::Stage& stage : stages) pipeline::RunStage(stage, folder.path(), "/bin/sh");
  const json report = MakeReport(RunOf("point-v0"), stages, folder.path());
  EXPECT_EQ(report["scale"], "smoke");
  const json& parts = report["stages"];
  ASSERT_EQ(parts.size(), 7u);
  EXPECT_EQ(parts[0]["command"], json({"synthesis", "--threads", "2"}));
  EXPECT_EQ(parts[0]["result"], json::parse("{\"S\": 99, \"beside\": [{\"S\": 3}]}"));
  EXPECT_EQ(parts[1]["result"], json::parse("{\"rows\": [1]}"));
  EXPECT_EQ(parts[2]["result"], json::parse("{\"dimension\": 3}"));
  EXPECT_EQ(parts[3]["result"],
            json::parse("{\"paths\": [{\"gap\": [4], \"end\": {\"iteration\": 5}}]}"));
  EXPECT_EQ(parts[4]["output"], "a");
  EXPECT_EQ(parts[4]["result"]["kind"], "x");
  EXPECT_EQ(parts[4]["result"]["hash"].get<std::string>().size(), 64u);
  EXPECT_EQ(parts[5]["result"],
            json::parse("{\"tasks\": {\"count\": 2}, \"methods\": [{\"met\": 7}]}"));
  EXPECT_EQ(parts[6]["result"],
            json::parse("{\"tables\": [{\"fronts\": [{\"cardinality\": 1}]}]}"));
  double seconds = 0;
  for (const json& part : parts) seconds += part["wall_seconds"].get<double>();
  EXPECT_EQ(report["wall_seconds"], seconds);
}

TEST(Report, TheMeasureIsTheFolderOrTheFile) {
  EXPECT_EQ(MeasureOf("measures/hole/mean.json"), "hole");
  EXPECT_EQ(MeasureOf("measures/control-functional.json"), "control-functional");
  EXPECT_EQ(MeasureOf("models/ours"), "");
  EXPECT_EQ(MeasureOf("measures"), "");
  EXPECT_EQ(MeasureOf(""), "");
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
