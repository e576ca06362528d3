#include "rhumb/cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "rhumb/core/artifact.h"
#include "rhumb/core/error.h"
#include "rhumb/core/json_file.h"
#include "rhumb/core/progress.h"
#include "rhumb/core/version.h"

namespace rhumb::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Table = std::vector<std::vector<std::string>>;

constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{1} << 30;
constexpr const char* kNone = "–";

// The paper's tables 1 and 2, by the name of the model; they are of HalfCheetah.
constexpr std::string_view kPaperEnvironment = "mo-halfcheetah-v5";
const std::map<std::string, std::vector<std::string>> kPaperProbe = {
    {"ours", {"0.029", "0.201"}},
    {"paper", {"0.029", "0.201"}},
    {"vae", {"0.233", "0.850"}},
    {"mean_pool", {"0.081", "0.289"}},
    {"free_projections", {"0.053", "0.232"}}};
const std::map<std::string, std::vector<std::string>> kPaperSynthesis = {
    {"ours", {"98.0", "11.67", "0.13"}},
    {"paper", {"98.0", "11.67", "0.13"}},
    {"vae", {"11.0", "40.8", "44.13"}},
    {"infonce", {"55.0", "25.47", "8.93"}},
    {"autoencoder", {"62.0", "12.44", "3.56"}}};

// Models and splits in words.
const std::map<std::string, std::string> kTitles = {
    {"train", "training"},
    {"held_out_checkpoint", "(a) unseen checkpoints"},
    {"held_out_weight", "(b) unseen weights"},
    {"vae", "VAE (α = 0)"},
    {"mean_pool", "mean-pool encoder"},
    {"free_projections", "free projections (ζ = 0)"},
    {"infonce", "VAE + InfoNCE"},
    {"autoencoder", "AE + RNC"},
    {"paper", "ours, the paper's settings"}};

std::string TitleOf(const std::string& name) {
  const auto found = kTitles.find(name);
  return found == kTitles.end() ? name : found->second;
}

// The measure that a stage takes; "" where it takes none.
std::string MeasureOf(const Stage& stage) {
  return stage.words[0] == "evaluate" ? stage.words[1] : "";
}

void RemoveRows(json& document) {
  if (document.is_object()) document.erase("rows");
  if (!document.is_structured()) return;
  for (json& part : document) RemoveRows(part);
}

json ResultOf(const Stage& stage, const fs::path& folder) {
  const fs::path output = folder / stage.output;
  if (stage.makes_document()) {
    json document = core::ReadJson(output, kMaxDocumentBytes);
    // Single episodes and tasks stay in the stage's own document.
    const std::string measure = MeasureOf(stage);
    if (measure == "imitation" || measure == "synthesis") RemoveRows(document);
    return document;
  }
  const core::Artifact artifact = core::Artifact::Open(output, "");
  json result = artifact.manifest();
  result.erase("files");
  result["hash"] = artifact.hash();
  if (artifact.kind() == "model") {
    const json model = core::ReadJson(artifact.file("model.json"), kMaxDocumentBytes);
    result["metrics"] = model.value("metrics", json::object());
  }
  return result;
}

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Number(const json& document, const std::string& place, int decimals) {
  const json::json_pointer at(place);
  if (!document.contains(at) || !document[at].is_number()) return kNone;
  return fmt::format("{:.{}f}", document[at].get<double>(), decimals);
}

std::string Percent(const json& document, const std::string& place) {
  const json::json_pointer at(place);
  if (!document.contains(at) || !document[at].is_number()) return kNone;
  return fmt::format("{:.2f}", 100 * document[at].get<double>());
}

std::string Text(const json& document, const std::string& key) {
  return document.contains(key) && document[key].is_string() ? document[key].get<std::string>()
                                                             : kNone;
}

// The model that a document is of: "vae" of "models/vae", "ours" of "models/ours.grounded".
std::string ModelOf(const json& document) {
  const std::string name = fs::path(Text(document, "model")).filename().string();
  return name.substr(0, name.find('.'));
}

std::vector<json> DocumentsOf(const json& report, const std::string& measure) {
  std::vector<json> documents;
  for (const json& stage : report.at("stages")) {
    if (stage.value("measure", "") == measure) documents.push_back(stage.at("result"));
  }
  return documents;
}

// The paper's cells of a row; dashes where it has none.
void AddPaper(std::vector<std::string>& row,
              const std::map<std::string, std::vector<std::string>>& numbers,
              const std::string& model, std::size_t columns) {
  const auto found = numbers.find(model);
  for (std::size_t i = 0; i < columns; ++i) {
    row.push_back(found == numbers.end() ? kNone : found->second[i]);
  }
}

// The first row is the header; the first column is words.
void AppendTable(std::string& html, const std::string& title, const std::string& words,
                 const Table& rows) {
  html += fmt::format("<h2>{}</h2>\n<p>{}</p>\n<table>\n", Escape(title), Escape(words));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    html += "<tr>";
    for (const std::string& cell : rows[i]) {
      html += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", Escape(cell));
    }
    html += "</tr>\n";
  }
  html += "</table>\n";
}

void AppendProbe(std::string& html, const json& report, bool beside_paper) {
  const std::vector<std::string> splits = {"train", "held_out_checkpoint", "held_out_weight"};
  Table rows = {{"model"}};
  for (const std::string& split : splits) rows[0].push_back(TitleOf(split));
  if (beside_paper) rows[0].insert(rows[0].end(), {"the paper, train", "the paper, test"});
  std::vector<double> sums(splits.size(), 0);
  int seeds = 0;
  for (const json& document : DocumentsOf(report, "probe")) {
    const std::string model = ModelOf(document);
    std::vector<std::string> row = {TitleOf(model)};
    seeds += model.starts_with("ours") ? 1 : 0;
    for (std::size_t i = 0; i < splits.size(); ++i) {
      const std::string place = "/splits/" + splits[i] + "/mean_mse";
      row.push_back(Number(document, place, 4));
      if (model.starts_with("ours") && row.back() != kNone) {
        sums[i] += document[json::json_pointer(place)].get<double>();
      }
    }
    if (beside_paper) AddPaper(row, kPaperProbe, model, 2);
    rows.push_back(std::move(row));
  }
  if (rows.size() == 1) return;
  if (seeds > 1) {
    std::vector<std::string> row = {fmt::format("ours, mean of {} seeds", seeds)};
    for (const double sum : sums) row.push_back(fmt::format("{:.4f}", sum / seeds));
    if (beside_paper) AddPaper(row, kPaperProbe, "ours", 2);
    rows.insert(rows.begin() + 1, std::move(row));
  }
  AppendTable(html, "Table 1: what a line reads from the codes",
              "Mean squared error of a linear probe from sampled codes to returns in units of "
              "their deviation, mean over the objectives.",
              rows);
}

void AppendImitation(std::string& html, const json& report, bool beside_paper) {
  Table rows = {{"policies", "actions", "objective", "median", "mean", "90 % quantile",
                 "share below 10 %", "teacher's own median"}};
  for (const json& document : DocumentsOf(report, "imitation")) {
    const json errors = document.value("errors", json::object());
    for (const auto& [objective, own] : errors.items()) {
      rows.push_back({TitleOf(Text(document, "split")), Text(document, "mode"), objective,
                      Percent(own, "/error/median"), Percent(own, "/error/mean"),
                      Percent(own, "/error/q90"), Percent(own, "/error/share_below_10_percent"),
                      Percent(own, "/teacher_error/median")});
    }
  }
  if (rows.size() == 1) return;
  AppendTable(html, "Imitation",
              fmt::format("Relative difference of returns, in %, between an episode of a policy "
                          "and the decoder that is given a context of it.{}",
                          beside_paper ? " The paper: largely below 10 %." : ""),
              rows);
}

void AppendSynthesis(std::string& html, const json& report, const std::string& mode,
                     bool beside_paper) {
  Table rows = {{"model", "method", "S", "E_targ", "median", "noise", "E_cons", "violations",
                 "met in simulation"}};
  if (beside_paper) {
    rows[0].insert(rows[0].end(), {"the paper, S", "the paper, E_targ", "the paper, E_cons"});
  }
  for (const json& document : DocumentsOf(report, "synthesis")) {
    if (Text(document, "mode") != mode) continue;
    const std::string model = ModelOf(document);
    std::vector<json> methods = {document};
    for (const json& other : document.value("beside", json::array())) methods.push_back(other);
    for (const json& own : methods) {
      const std::string method = Text(own, "method");
      std::vector<std::string> row = {TitleOf(model), method};
      for (const char* key :
           {"/S", "/E_targ_mean", "/E_targ_median", "/noise", "/E_cons", "/violations", "/met"}) {
        row.push_back(Number(own, key, 2));
      }
      const bool is_steered = method == "default" || method == "paper";
      if (beside_paper) AddPaper(row, kPaperSynthesis, is_steered ? model : "", 3);
      rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return;
  AppendTable(html, fmt::format("Table 2: behaviour synthesis, {} actions", mode),
              "In %. S: solved by the model's own prediction; E_targ: how far the target is "
              "missed in simulation; noise: what roll-outs of a code that is right would give; "
              "E_cons: by how much requirements are violated. Lookup and nearest label do not "
              "steer. Only ours is grounded in roll-outs of its own codes.",
              rows);
}

void AppendOrdering(std::string& html, const json& report) {
  Table rows = {{"model", "policies", "objective", "in order in z", "in order in h",
                 "median margin in z", "median margin in h"}};
  for (const json& document : DocumentsOf(report, "ordering")) {
    const json splits = document.value("splits", json::object());
    for (const auto& [split, own] : splits.items()) {
      const json labels = own.value("ordering", json::object());
      for (const auto& [label, scores] : labels.items()) {
        rows.push_back({TitleOf(ModelOf(document)), TitleOf(split), label,
                        Percent(scores, "/z/share"), Percent(scores, "/h/share"),
                        Number(scores, "/z/margin/median", 3),
                        Number(scores, "/h/margin/median", 3)});
      }
    }
  }
  if (rows.size() == 1) return;
  AppendTable(html, "Ordering",
              "Share of random triples of episodes, in %, in which the one with the nearer return "
              "is nearer on the map; chance gives 50.",
              rows);
}

void AppendContext(std::string& html, const json& report) {
  Table rows = {{"model", "policies", "pairs in a context", "MSE of mean codes",
                 "MSE of sampled codes", "spread of codes", "posterior deviation"}};
  for (const json& document : DocumentsOf(report, "context")) {
    const json splits = document.value("splits", json::object());
    for (const auto& [split, own] : splits.items()) {
      for (const json& row : own.value("rows", json::array())) {
        rows.push_back({TitleOf(ModelOf(document)), TitleOf(split), Number(row, "/context", 0),
                        Number(row, "/mean_code/mean_mse", 4), Number(row, "/drawn/mean_mse", 4),
                        Number(row, "/spread", 4), Number(row, "/deviation", 4)});
      }
    }
  }
  if (rows.size() == 1) return;
  AppendTable(html, "Error against the size of the context",
              "Mean squared error of the linear probe, and how far the codes of contexts of one "
              "episode lie apart.",
              rows);
}

void AppendControlFunctionals(std::string& html, const json& report) {
  Table rows = {{"density", "dimensions", "points", "Monte Carlo", "control functional"}};
  for (const json& document : DocumentsOf(report, "control-functional")) {
    for (const json& own : document.value("cases", json::array())) {
      const std::vector<std::string> names = {Text(own, "density"), Number(own, "/dimension", 0)};
      for (const json& row : own.value("rows", json::array())) {
        rows.push_back({names[0], names[1], Number(row, "/size", 0), Number(row, "/monte_carlo", 6),
                        Number(row, "/control_functional", 6)});
      }
      rows.push_back({names[0], names[1], "rate", Number(own, "/monte_carlo_rate", 2),
                      Number(own, "/control_functional_rate", 2)});
    }
  }
  if (rows.size() == 1) return;
  AppendTable(html, "Control functionals",
              "Root mean square error of an integral with a known score; rate r: error ~ N^r. "
              "Theory: -0.5 for Monte Carlo, -1 or better for control functionals.",
              rows);
}

// The words of a stage as they are typed.
std::string LineOf(const json& stage) {
  std::vector<std::string> words = stage.at("command");
  words.insert(words.begin(), "rhumb");
  const auto output = stage.at("output").get<std::string>();
  const bool makes_document = Stage{output, {}, {}, {}}.makes_document();
  return FormatCommand(words) + (makes_document ? " > " + FormatCommand({output}) : "");
}

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:80em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:1em 0}"
    "th,td{padding:.2em .8em;border-bottom:1px solid #ccc;text-align:left;"
    "font-variant-numeric:tabular-nums}"
    "th{border-bottom:2px solid #444;vertical-align:bottom}p{max-width:50em}";

}  // namespace

json MakeReport(const json& run, const std::vector<Stage>& stages, const fs::path& folder) {
  json report = run;
  report["rhumb"] = core::kVersion;
  report["stages"] = json::array();
  double seconds = 0;
  for (const Stage& stage : stages) {
    const std::optional<Stamp> stamp = ReadStamp(folder, stage);
    if (!stamp) Fail("{} has no stamp: it was not made here", (folder / stage.output).string());
    json entry = {{"output", stage.output},
                  {"command", stamp->command},
                  {"wall_seconds", stamp->wall_seconds},
                  {"result", ResultOf(stage, folder)}};
    const std::string measure = MeasureOf(stage);
    if (!measure.empty()) entry["measure"] = measure;
    seconds += stamp->wall_seconds;
    report["stages"].push_back(std::move(entry));
  }
  report["wall_seconds"] = seconds;
  return report;
}

std::string FormatReport(const json& report) {
  const auto environment = report.at("environment").get<std::string>();
  const bool beside_paper = environment == kPaperEnvironment;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>Rhumb on {0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>Rhumb on {0}</h1>\n",
      Escape(environment), kStyle);
  html += fmt::format(
      "<p>Scale {}, seed {}, Rhumb {}: {} stages, {} in all. <a "
      "href=\"report.json\">report.json</a> has every number, <a "
      "href=\"commands.sh\">commands.sh</a> the commands.{}</p>\n",
      Escape(report.at("scale").get<std::string>()), report.at("seed").dump(),
      Escape(report.at("rhumb").get<std::string>()), report.at("stages").size(),
      core::FormatDuration(report.at("wall_seconds")),
      beside_paper ? " The paper's numbers are of its own policies, its own tasks and a test split "
                     "that it does not describe."
                   : "");
  AppendProbe(html, report, beside_paper);
  AppendImitation(html, report, beside_paper);
  AppendSynthesis(html, report, "sampled", beside_paper);
  AppendSynthesis(html, report, "mean", beside_paper);
  AppendOrdering(html, report);
  AppendContext(html, report);
  AppendControlFunctionals(html, report);
  Table stages = {{"makes", "time", "command"}};
  for (const json& stage : report.at("stages")) {
    stages.push_back(
        {stage.at("output"), core::FormatDuration(stage.at("wall_seconds")), LineOf(stage)});
  }
  AppendTable(html, "Stages", "Each runs in the folder of this report.", stages);
  return html + "</body>\n</html>\n";
}

std::string FormatCommands(const json& report) {
  std::string script =
      "#!/bin/sh\n# Everything in this report, by hand.\nset -e\ncd \"$(dirname \"$0\")\"\n";
  std::set<std::string> folders;
  for (const json& stage : report.at("stages")) {
    const std::string folder =
        fs::path(stage.at("output").get<std::string>()).parent_path().string();
    if (!folder.empty() && folders.insert(folder).second) {
      script += FormatCommand({"mkdir", "-p", folder}) + "\n";
    }
    script += LineOf(stage) + "\n";
  }
  return script;
}

}  // namespace rhumb::cli
