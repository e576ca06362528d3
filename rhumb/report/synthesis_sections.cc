#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/report/report_reader.h"
#include "rhumb/report/report_sections.h"

namespace rhumb::report {
namespace {

using nlohmann::json;
using Table = HtmlPage::Table;

// The paper's Table 2, in %, by the name of the model.
struct SynthesisErrors {
  double success, target, constraint;
};
const std::map<std::string, SynthesisErrors> kPaperSynthesis = {
    {"ours.grounded", {98.0, 11.67, 0.13}},
    {"paper", {98.0, 11.67, 0.13}},
    {"vae", {11.0, 40.8, 44.13}},
    {"infonce", {55.0, 25.47, 8.93}},
    {"autoencoder", {62.0, 12.44, 3.56}}};

constexpr const char* kSynthesisWords =
    "In %, over all tasks. S: solved by the model's own prediction; E_targ: how far the target "
    "is missed in simulation; noise: E_targ of a code that is right on average, by its roll-outs "
    "alone; E_cons: by how much requirements are violated. Methods: default, our way; paper, one "
    "random start, as the paper does; naive, that without projection; lookup and nearest label "
    "do not steer. Only ours is grounded in roll-outs of its own codes; the rivals, and ours "
    "with heads of labels, predict what the training policies earned.";

// Half of the last digit that tables show.
constexpr double kShown = 0.005;

const std::vector<std::string> kColumns = {"S",      "E_targ",     "median",           "noise",
                                           "E_cons", "violations", "met in simulation"};

void AddColumns(std::vector<std::string>& row, const json& own) {
  for (const char* key :
       {"/S", "/E_targ_mean", "/E_targ_median", "/noise", "/E_cons", "/violations", "/met"}) {
    row.push_back(Number(own, key, 2));
  }
}

std::string ModelTitle(const std::string& model) {
  return model == "ours" ? "ours, heads of labels" : TitleOf(model);
}

std::string MethodTitle(std::string method) {
  std::replace(method.begin(), method.end(), '_', ' ');
  return method;
}

// Where a document's method "default" is worse than another one, in words.
std::vector<std::string> WorseThan(const json& document, const std::string& rival) {
  const json ours = MethodOf(document, "default"), other = MethodOf(document, rival);
  std::vector<std::string> words;
  if (!ours.is_object() || !other.is_object()) return words;
  const std::vector<std::pair<const char*, const char*>> kinds = {
      {"/E_targ_mean", "E_targ"}, {"/E_cons", "E_cons"}, {"/violations", "violations"}};
  for (const auto& [place, name] : kinds) {
    const double own = NumberAt(ours, place), least = NumberAt(other, place);
    if (!(least < own - kShown)) continue;
    const double noise = NumberAt(ours, "/noise");
    const bool by_chance = std::string(name) == "E_targ" && own - least < noise;
    words.push_back(
        fmt::format("{} {:.2f} against {:.2f} %{}", name, own, least,
                    by_chance ? fmt::format(" (less apart than the noise, {:.2f})", noise) : ""));
  }
  return words;
}

void WarnOfLookup(HtmlPage& page, const json& document, const std::string& place) {
  const std::vector<std::string> words = WorseThan(document, "lookup");
  if (words.empty()) return;
  page.AddWarning(fmt::format(
      "Lookup beats steering {}: {}. A code in the table was rolled out, so that what it gives is "
      "measured; steering goes by heads that err. Where codes lie close enough to every query, "
      "that is better.",
      place, fmt::join(words, ", ")));
}

// Whoever else comes nearer to the targets, other models or other ways to steer ours.
void WarnOfRivals(HtmlPage& page, const ReportView& view, const json& ours,
                  const std::string& mode) {
  const double own = NumberAt(ours, "/E_targ_mean");
  std::vector<std::string> nearer;
  for (const json& document : ResultsOf(view.report, "synthesis")) {
    if (Text(document, "mode") != mode) continue;
    for (const json& other : MethodsOf(document)) {
      const double error = NumberAt(other, "/E_targ_mean");
      const std::string method = Text(other, "method");
      if (method == "lookup" || !(error < own - kShown)) continue;
      nearer.push_back(
          fmt::format("{}, {}: {:.2f}", ModelTitle(ModelOf(document)), MethodTitle(method), error));
    }
  }
  if (nearer.empty()) return;
  page.AddWarning(
      fmt::format("With {} actions others come nearer to the targets than our {:.2f} %: {}.", mode,
                  own, fmt::join(nearer, "; ")));
}

void WarnOfPaper(HtmlPage& page, const json& document, const std::string& mode) {
  const json ours = MethodOf(document, "default");
  if (!ours.is_object()) return;
  const SynthesisErrors paper = kPaperSynthesis.at("paper");
  const auto warn = [&](const char* name, double own, double theirs) {
    page.AddWarning(fmt::format(
        "Worse than the paper with {} actions: {} is {:.2f} % against {:.2f}, on our policies, "
        "held-out tasks and roll-outs.",
        mode, name, own, theirs));
  };
  const double success = NumberAt(ours, "/S"), target = NumberAt(ours, "/E_targ_mean"),
               constraint = NumberAt(ours, "/E_cons");
  if (success < paper.success) warn("S", success, paper.success);
  if (target > paper.target) warn("E_targ", target, paper.target);
  if (constraint > paper.constraint) warn("E_cons", constraint, paper.constraint);
}

// The row of each method of a document.
void AddContest(Table& rows, const std::string& mode, const std::string& kind,
                const json& document) {
  if (!document.is_object()) return;
  for (const json& own : MethodsOf(document)) {
    rows.push_back({mode, kind, MethodTitle(Text(own, "method"))});
    AddColumns(rows.back(), own);
  }
}

// In how many of the documents one method is better than "default", and where.
void WarnOfContest(HtmlPage& page, const std::vector<std::pair<std::string, json>>& documents,
                   const std::string& rival, const std::string& mode) {
  if (documents.empty()) return;
  std::vector<std::string> places;
  for (const auto& [kind, document] : documents) {
    const std::vector<std::string> words = WorseThan(document, rival);
    if (!words.empty()) places.push_back(fmt::format("{} ({})", kind, fmt::join(words, ", ")));
  }
  if (places.empty()) {
    page.AddParagraph(
        fmt::format("With {} actions, {} is nowhere better than steering.", mode, rival));
    return;
  }
  page.AddWarning(fmt::format("With {} actions, steering is worse than {} at {}.", mode, rival,
                              fmt::join(places, "; ")));
}

}  // namespace

void AddSynthesis(HtmlPage& page, const ReportView& view, const std::string& mode) {
  Table rows = {{"model", "method"}};
  rows[0].insert(rows[0].end(), kColumns.begin(), kColumns.end());
  if (view.beside_paper) {
    rows[0].insert(rows[0].end(), {"the paper, S", "the paper, E_targ", "the paper, E_cons"});
  }
  for (const json& document : ResultsOf(view.report, "synthesis")) {
    if (Text(document, "mode") != mode) continue;
    const std::string model = ModelOf(document);
    for (const json& own : MethodsOf(document)) {
      const std::string method = Text(own, "method");
      std::vector<std::string> row = {ModelTitle(model), MethodTitle(method)};
      AddColumns(row, own);
      if (view.beside_paper) {
        const auto paper = kPaperSynthesis.find(model);
        const bool has =
            paper != kPaperSynthesis.end() && (method == "default" || method == "paper");
        row.push_back(has ? fmt::format("{:.1f}", paper->second.success) : kNoNumber);
        row.push_back(has ? fmt::format("{:.2f}", paper->second.target) : kNoNumber);
        row.push_back(has ? fmt::format("{:.2f}", paper->second.constraint) : kNoNumber);
      }
      rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return;
  page.AddHeading(fmt::format("Table 2: behaviour synthesis, {} actions", mode));
  page.AddParagraph(mode == "mean" ? "As before; the decoder acts by its means." : kSynthesisWords);
  AddFigure(page, view, "synthesis-" + mode, "Share of the tasks within every error, by method.");
  page.AddTable(rows);
  const json ours = ResultAt(view.report, fmt::format("measures/synthesis/ours-{}.json", mode));
  WarnOfLookup(page, ours, fmt::format("with {} actions", mode));
  WarnOfRivals(page, view, MethodOf(ours, "default"), mode);
  if (view.beside_paper) WarnOfPaper(page, ours, mode);
}

void AddConstraints(HtmlPage& page, const ReportView& view) {
  Table rows = {{"actions", "tasks", "method"}};
  rows[0].insert(rows[0].end(), kColumns.begin(), kColumns.end());
  std::map<std::string, std::vector<std::pair<std::string, json>>> contests;
  for (const char* mode : {"sampled", "mean"}) {
    auto& contest = contests[mode];
    for (const json& document : ResultsOf(view.report, "constraints")) {
      if (Text(document, "mode") != mode) continue;
      const std::size_t count = contest.size() + 1;
      contest.emplace_back(fmt::format("{} requirement{}", count, count == 1 ? "" : "s"), document);
    }
    const json hole = ResultAt(view.report, fmt::format("measures/hole/{}.json", mode));
    if (hole.is_object()) contest.emplace_back(TitleOf("hole"), hole);
    for (const auto& [kind, document] : contest) AddContest(rows, mode, kind, document);
  }
  if (rows.size() == 1) return;
  page.AddHeading("Many requirements, and a hole in the data");
  std::vector<std::string> names;
  for (const json& own : view.report.value("attributes", json::array())) {
    names.push_back(fmt::format("{} = {}", Text(own, "name"), Text(own, "expression")));
  }
  page.AddParagraph(fmt::format(
      "The target is as before; requirements are drawn from attributes that were added after "
      "training: {}. Inside the hole: targets and requirements of policies in a box around the "
      "middle of the returns, which this model has not seen.",
      fmt::join(names, "; ")));
  AddFigure(page, view, "constraints-sampled",
            "Errors and violations against the number of requirements, and inside the hole, "
            "sampled actions.");
  AddFigure(page, view, "constraints-mean", "Inside the hole, mean actions.");
  page.AddTable(rows);
  for (const char* mode : {"sampled", "mean"}) {
    for (const char* rival : {"lookup", "naive"}) WarnOfContest(page, contests[mode], rival, mode);
  }
}

void AddPaths(HtmlPage& page, const ReportView& view) {
  Table rows = {{"query", "path", "status", "steps", "distance", "objective", "predicted",
                 "realised", "gap on the way"}};
  std::vector<std::string> better;
  const json known = view.report.value("objectives", json::array());
  for (const json& document : ResultsOf(view.report, "paths")) {
    const json objectives = document.value("objectives", json::array());
    for (const json& query : document.value("queries", json::array())) {
      std::map<std::string, double> gaps;  // of the first objective, by method
      for (const json& path : query.value("paths", json::array())) {
        gaps[Text(path, "method")] = NumberAt(path, "/gap/0");
        for (std::size_t k = 0; k < objectives.size(); ++k) {
          const json name = objectives[k].value("name", json());
          if (!known.empty() && std::find(known.begin(), known.end(), name) == known.end())
            continue;
          rows.push_back({Text(query, "text"), Text(path, "method"), Text(path, "status"),
                          Number(path, "/end/iteration", 0), Number(path, "/end/distance", 2), name,
                          Number(path, fmt::format("/end/predicted/{}", k), 1),
                          Number(path, fmt::format("/end/realised/{}", k), 1),
                          Number(path, fmt::format("/gap/{}", k), 1)});
        }
      }
      if (gaps.contains("naive") && gaps["naive"] < gaps["projected"]) {
        better.push_back(fmt::format("{} (gap {:.1f} against {:.1f})", Text(query, "text"),
                                     gaps["naive"], gaps["projected"]));
      }
    }
  }
  if (rows.size() == 1) return;
  page.AddHeading("Naive against projected, and the paths of steering");
  page.AddParagraph(
      "The paper's primal-dual descent from one start, along the data and freely. Predicted and "
      "realised at the end of the path; gap: their mean difference on the way; distance to the "
      "data in spacings of the training codes.");
  AddFigure(page, view, "paths",
            "Paths over the return landscape, and what is predicted and realised along them (the "
            "paper's figures 5 and 6, and those of its appendix).");
  page.AddTable(rows);
  if (!better.empty()) {
    page.AddWarning(fmt::format(
        "Naive steps kept their promise better than projected ones: {}. As long as they stay near "
        "the data, projection has nothing to hold back.",
        fmt::join(better, "; ")));
  }
}

}  // namespace rhumb::report
