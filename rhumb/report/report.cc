#include "rhumb/report/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "rhumb/core/artifact.h"
#include "rhumb/core/error.h"
#include "rhumb/core/json_file.h"
#include "rhumb/core/progress.h"
#include "rhumb/core/version.h"
#include "rhumb/report/html_page.h"
#include "rhumb/report/report_reader.h"
#include "rhumb/report/report_sections.h"

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{1} << 30;
// The paper's tables are of it.
constexpr std::string_view kPaperEnvironment = "mo-halfcheetah-v5";

// What is long stays in the stage's own document: single episodes and tasks, points of maps, and
// all of a path but its end.
void Shorten(json& document, bool has_rows_of_tasks) {
  if (document.is_object()) {
    if (has_rows_of_tasks) document.erase("rows");
    document.erase("contexts");
    document.erase("landscape");
    if (document.contains("points") && document["points"].is_array()) {
      if (!document["points"].empty()) document["end"] = document["points"].back();
      document.erase("points");
      if (document.contains("end")) document["end"].erase("code");
    }
  }
  if (!document.is_structured()) return;
  for (json& part : document) Shorten(part, has_rows_of_tasks);
}

json ResultOf(const pipeline::Stage& stage, const fs::path& folder) {
  const fs::path output = folder / stage.output;
  if (stage.makes_document()) {
    static const std::set<std::string> kOfTasks = {"imitation", "synthesis", "constraints", "hole"};
    json document = core::ReadJson(output, kMaxDocumentBytes);
    Shorten(document, kOfTasks.contains(MeasureOf(stage.output)));
    return document;
  }
  const core::Artifact artifact = core::Artifact::Open(output, "");
  json result = artifact.manifest();
  for (const char* key : {"files", "left_out"}) result.erase(key);
  result["hash"] = artifact.hash();
  if (artifact.kind() == "model") {
    const json model = core::ReadJson(artifact.file("model.json"), kMaxDocumentBytes);
    for (const char* key : {"architecture", "objectives", "metrics"}) {
      result[key] = model.value(key, json());
    }
  }
  return result;
}

// The words of a stage as they are typed.
std::string LineOf(const json& stage) {
  std::vector<std::string> words = stage.at("command");
  words.insert(words.begin(), "rhumb");
  const auto output = stage.at("output").get<std::string>();
  const bool makes_document = pipeline::Stage{.output = output}.makes_document();
  return pipeline::FormatCommand(words) +
         (makes_document ? " > " + pipeline::FormatCommand({output}) : "");
}

void AddHead(HtmlPage& page, const ReportView& view) {
  const json& report = view.report;
  std::string time = core::FormatDuration(report.at("wall_seconds")) + " of work";
  if (report.contains("elapsed_seconds")) {
    time += fmt::format(", done in {}", core::FormatDuration(report["elapsed_seconds"]));
  }
  page.AddParagraph(fmt::format(
      "Scale {}, seed {}, Rhumb {}: {} stages, {}.{}", report.at("scale").get<std::string>(),
      report.at("seed").dump(), report.at("rhumb").get<std::string>(), report.at("stages").size(),
      time,
      view.beside_paper ? " The paper's numbers are of its own policies, its own tasks and a test "
                          "split that it does not describe."
                        : ""));
  if (report.at("scale") != "full") {
    page.AddParagraph(
        "At this scale training is far too short: the page shows that everything works, and its "
        "numbers say nothing of the method. --scale full has those.");
  }
  page.AddParagraph("Every number, and the commands that made it:");
  page.AddLinks({"report.json", "commands.sh"});
  const std::size_t wanted = FiguresOf(report).size();
  if (view.figures.size() < wanted) {
    page.AddParagraph(fmt::format(
        "{} of {} figures are not drawn. Where there is a Python with matplotlib (tools/setup "
        "pictures, or RHUMB_PYTHON), `rhumb reproduce --report FOLDER` draws them, here or in a "
        "copy of report.json, measures and models/ours/model.json.",
        wanted - view.figures.size(), wanted));
  }
}

void AddStages(HtmlPage& page, const json& report) {
  HtmlPage::Table rows = {{"makes", "time", "command"}};
  for (const json& stage : report.at("stages")) {
    rows.push_back(
        {stage.at("output"), core::FormatDuration(stage.at("wall_seconds")), LineOf(stage)});
  }
  page.AddHeading("Time and command of every stage");
  page.AddParagraph("Each runs in the folder of this report; some ran beside each other.");
  page.AddTable(rows);
}

}  // namespace

json MakeReport(const json& run, const std::vector<pipeline::Stage>& stages,
                const fs::path& folder) {
  json report = run;
  report["rhumb"] = core::kVersion;
  report["stages"] = json::array();
  double seconds = 0;
  for (const pipeline::Stage& stage : stages) {
    const std::optional<pipeline::Stamp> stamp = pipeline::ReadStamp(folder, stage);
    if (!stamp) Fail("{} has no stamp: it was not made here", (folder / stage.output).string());
    seconds += stamp->wall_seconds;
    report["stages"].push_back({{"output", stage.output},
                                {"command", stamp->command},
                                {"wall_seconds", stamp->wall_seconds},
                                {"result", ResultOf(stage, folder)}});
  }
  report["wall_seconds"] = seconds;
  return report;
}

std::string FormatReport(const json& report, const std::vector<FigureFile>& figures) {
  const auto environment = report.at("environment").get<std::string>();
  const ReportView view = {report, figures, environment == kPaperEnvironment};
  HtmlPage page(fmt::format("Rhumb on {}", environment));
  AddHead(page, view);
  AddArchitecture(page, view);
  AddImitation(page, view);
  AddProbe(page, view);
  AddGeometry(page, view);
  AddSynthesis(page, view, "sampled");
  AddSynthesis(page, view, "mean");
  AddConstraints(page, view);
  AddPaths(page, view);
  AddOrdering(page, view);
  AddContext(page, view);
  AddControlFunctionals(page, view);
  AddStages(page, report);
  return page.text();
}

std::string FormatCommands(const json& report) {
  std::string script =
      "#!/bin/sh\n# Everything in this report, by hand.\nset -e\ncd \"$(dirname \"$0\")\"\n";
  std::set<std::string> folders;
  for (const json& stage : report.at("stages")) {
    const std::string folder =
        fs::path(stage.at("output").get<std::string>()).parent_path().string();
    if (!folder.empty() && folders.insert(folder).second) {
      script += pipeline::FormatCommand({"mkdir", "-p", folder}) + "\n";
    }
    script += LineOf(stage) + "\n";
  }
  return script;
}

}  // namespace rhumb::report
