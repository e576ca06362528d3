#include "rhumb/report/report.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/version.h"

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The long parts of each measure, which stay in its own document: episodes, tasks, points of maps.
const std::map<std::string, std::set<std::string>>& LongParts() {
  static const std::map<std::string, std::set<std::string>> kParts = {
      {"imitation", {"rows"}},       {"synthesis", {"rows"}},
      {"constraints", {"rows"}},     {"hole", {"rows"}},
      {"between", {"rows", "list"}}, {"front", {"tried", "points", "numbers"}},
      {"geometry", {"contexts"}},    {"paths", {"landscape", "points"}},
  };
  return kParts;
}

// Drops these parts, wherever they are. The last point of a path is kept as its end.
void Shorten(json& document, const std::set<std::string>& parts, bool keeps_ends) {
  if (document.is_object()) {
    if (keeps_ends && document.contains("points") && !document["points"].empty()) {
      document["end"] = document["points"].back();
      document["end"].erase("code");
    }
    for (const std::string& part : parts) document.erase(part);
  }
  if (!document.is_structured()) return;
  for (json& part : document) Shorten(part, parts, keeps_ends);
}

json ResultOf(const pipeline::Stage& stage, const fs::path& folder) {
  const fs::path output = folder / stage.output;
  if (stage.makes_document()) {
    json document = core::ReadJson(output, kMaxDocumentBytes);
    const std::string measure = MeasureOf(stage.output);
    const auto parts = LongParts().find(measure);
    if (parts != LongParts().end()) Shorten(document, parts->second, measure == "paths");
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

std::string MeasureOf(const std::string& output) {
  const fs::path path(output);
  auto part = path.begin();
  if (part == path.end() || *part != "measures" || ++part == path.end()) return "";
  return part->stem().string();
}

std::vector<std::string> CommandLines(const json& report) {
  std::vector<std::string> lines;
  for (const json& stage : report.at("stages")) {
    std::vector<std::string> words = stage.at("command");
    words.insert(words.begin(), "rhumb");
    lines.push_back(pipeline::FormatCommand(words));
    const pipeline::Stage made{.output = stage.at("output")};
    if (made.makes_document()) lines.back() += " > " + pipeline::FormatCommand({made.output});
  }
  return lines;
}

std::string FormatCommands(const json& report) {
  std::string script =
      "#!/bin/sh\n# Everything in this report, by hand.\nset -e\ncd \"$(dirname \"$0\")\"\n";
  const std::vector<std::string> lines = CommandLines(report);
  std::set<std::string> folders;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const fs::path output = report["stages"][i].at("output").get<std::string>();
    const std::string folder = output.parent_path().string();
    if (!folder.empty() && folders.insert(folder).second) {
      script += pipeline::FormatCommand({"mkdir", "-p", folder}) + "\n";
    }
    script += lines[i] + "\n";
  }
  return script;
}

}  // namespace rhumb::report
