#include "rhumb/report/report_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "rhumb/report/report_reader.h"

namespace rhumb::report {
namespace {

using nlohmann::json;
using Table = HtmlPage::Table;

const std::vector<std::string> kSplits = {"train", "held_out_checkpoint", "held_out_weight"};

// The paper's Table 1 (train, test), by the name of the model.
struct ProbeErrors {
  double train, test;
};
const std::map<std::string, ProbeErrors> kPaperProbe = {{"ours", {0.029, 0.201}},
                                                        {"paper", {0.029, 0.201}},
                                                        {"vae", {0.233, 0.850}},
                                                        {"mean_pool", {0.081, 0.289}},
                                                        {"free_projections", {0.053, 0.232}}};

std::string ErrorPlace(const std::string& split) { return "/splits/" + split + "/mean_mse"; }

// The probes of one kind of model: "vae-2" and on are "vae" with other seeds.
struct ProbeGroup {
  std::string model;
  int seeds = 0;
  json mean = {{"splits", json::object()}};  // in the form of one document
};

std::vector<ProbeGroup> GroupSeeds(const std::vector<json>& documents) {
  std::vector<ProbeGroup> groups;
  for (const json& document : documents) {
    const std::string model = ModelOf(document);
    const std::string base = model.substr(0, model.find_last_not_of("0123456789-") + 1);
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const ProbeGroup& group) { return group.model == base; });
    ProbeGroup& group = found == groups.end() ? groups.emplace_back() : *found;
    group.model = base;
    for (const std::string& split : kSplits) {
      const double error = NumberAt(document, ErrorPlace(split));
      if (std::isnan(error)) continue;
      json& mean = group.mean["splits"][split]["mean_mse"];
      mean =
          ((mean.is_null() ? 0.0 : mean.get<double>()) * group.seeds + error) / (group.seeds + 1);
    }
    ++group.seeds;
  }
  return groups;
}

std::vector<std::string> ProbeRow(const std::string& title, const json& document,
                                  const std::string& paper_name, bool beside_paper) {
  std::vector<std::string> row = {title};
  for (const std::string& split : kSplits) row.push_back(Number(document, ErrorPlace(split), 4));
  if (!beside_paper) return row;
  const auto found = kPaperProbe.find(paper_name);
  const bool has = found != kPaperProbe.end();
  row.push_back(has ? fmt::format("{:.3f}", found->second.train) : kNoNumber);
  row.push_back(has ? fmt::format("{:.3f}", found->second.test) : kNoNumber);
  return row;
}

void AddData(HtmlPage& page, const ReportView& view) {
  const json population = ResultAt(view.report, "population");
  const json data = ResultAt(view.report, "dataset-v0");
  if (!population.is_object() || !data.is_object()) return;
  const auto policies = [&](const std::string& split) {
    return Number(data, "/counts/splits/" + split + "/policies", 0);
  };
  page.AddParagraph(fmt::format(
      "{} weight vectors were trained; of their checkpoints, {} policies are kept: {} to train on, "
      "(a) {} unseen checkpoints of the same weights, (b) {} of a weight vector that is unseen as "
      "a "
      "whole. {} episodes, {} steps.",
      population.value("weights", json::array()).size(), Number(data, "/counts/policies", 0),
      policies("train"), policies("held_out_checkpoint"), policies("held_out_weight"),
      Number(data, "/counts/episodes", 0), Number(data, "/counts/transitions", 0)));
}

// Where somebody reads more from codes than we do.
void AddProbeWarnings(HtmlPage& page, const ReportView& view, const std::vector<ProbeGroup>& groups,
                      const json& ours) {
  std::vector<std::string> rivals, paper;
  for (const std::string& split : kSplits) {
    const double own = NumberAt(ours, ErrorPlace(split));
    std::vector<std::string> better;
    for (const ProbeGroup& group : groups) {
      const double other = NumberAt(group.mean, ErrorPlace(split));
      if (group.model == "ours" || !(other < own)) continue;
      better.push_back(fmt::format("{} {:.4f}", TitleOf(group.model), other));
    }
    if (!better.empty()) {
      rivals.push_back(
          fmt::format("on {} ours has {:.4f}, {}", TitleOf(split), own, fmt::join(better, ", ")));
    }
    const ProbeErrors theirs = kPaperProbe.at("ours");
    const double bound = split == "train" ? theirs.train : theirs.test;
    if (own > bound)
      paper.push_back(fmt::format("on {} {:.4f} against {:.3f}", TitleOf(split), own, bound));
  }
  if (!rivals.empty()) {
    page.AddWarning(fmt::format(
        "Worse than others: {}. Our settings were chosen for imitation and steering, not for the "
        "probe.",
        fmt::join(rivals, "; ")));
  }
  if (view.beside_paper && !paper.empty()) {
    page.AddWarning(fmt::format("Worse than the paper, with our policies and our splits: {}.",
                                fmt::join(paper, "; ")));
  }
}

}  // namespace

void AddFigure(HtmlPage& page, const ReportView& view, const std::string& name,
               const std::string& caption) {
  for (const FigureFile& file : view.figures) {
    if (file.name == name) page.AddFigure(file.picture, file.drawing, caption);
  }
}

void AddArchitecture(HtmlPage& page, const ReportView& view) {
  const json model = ResultAt(view.report, "models/ours");
  if (!model.is_object()) return;
  page.AddHeading("Architecture");
  const json sizes = model.value("architecture", json::object());
  page.AddParagraph(fmt::format(
      "{} state-action pairs of {} + {} numbers make a code of {}; {} projections of {} numbers "
      "are ordered by one return each; the decoder acts on a state and a code.",
      Number(sizes, "/context", 0), Number(sizes, "/observation_size", 0),
      Number(sizes, "/action_size", 0), Number(sizes, "/code_size", 0),
      model.value("objectives", json::array()).size(), Number(sizes, "/projection_size", 0)));
  AddFigure(page, view, "architecture", "The model, with its sizes (the paper's figure 1).");
}

void AddImitation(HtmlPage& page, const ReportView& view) {
  Table rows = {{"policies", "actions", "objective", "median, %", "mean, %", "90 % quantile, %",
                 "share below 10 %, %", "teacher's own median, %"}};
  std::size_t far = 0;
  for (const json& document : ResultsOf(view.report, "imitation")) {
    const std::string split = TitleOf(Text(document, "split")), mode = Text(document, "mode");
    const json errors = document.value("errors", json::object());
    for (const auto& [objective, own] : errors.items()) {
      rows.push_back({split, mode, objective, Number(own, "/error/median", 2, 100),
                      Number(own, "/error/mean", 2, 100), Number(own, "/error/q90", 2, 100),
                      Number(own, "/error/share_below_10_percent", 1, 100),
                      Number(own, "/teacher_error/median", 2, 100)});
      if (NumberAt(own, "/error/share_below_10_percent") < 0.5) ++far;
    }
  }
  if (rows.size() == 1) return;
  page.AddHeading("Data and imitation");
  AddData(page, view);
  page.AddParagraph(
      fmt::format("Relative difference of returns between an episode of a policy and the decoder "
                  "that is given a context of it.{}",
                  view.beside_paper ? " The paper: largely below 10 %." : ""));
  AddFigure(page, view, "returns",
            "Returns of the policies, and how far the decoder's are from them (the "
            "paper's figure 2).");
  AddFigure(page, view, "sawtooth",
            "Returns along the training of each policy, and of the decoder in its place (the "
            "paper's sawtooth).");
  page.AddTable(rows);
  if (far > 0) {
    page.AddWarning(fmt::format(
        "In {} of {} rows less than half of the episodes are imitated within 10 %. Relative errors "
        "are large where returns are near 0, and mean actions are not what the teachers did.",
        far, rows.size() - 1));
  }
}

void AddProbe(HtmlPage& page, const ReportView& view) {
  const std::vector<json> documents = ResultsOf(view.report, "probe");
  if (documents.empty()) return;
  Table rows = {{"model"}};
  for (const std::string& split : kSplits) rows[0].push_back(TitleOf(split));
  if (view.beside_paper) {
    rows[0].insert(rows[0].end(), {"the paper, training", "the paper, test"});
  }
  const std::vector<ProbeGroup> groups = GroupSeeds(documents);
  for (const ProbeGroup& group : groups) {
    const std::string seeds = group.seeds > 1 ? fmt::format(", mean of {} seeds", group.seeds) : "";
    rows.push_back(
        ProbeRow(TitleOf(group.model) + seeds, group.mean, group.model, view.beside_paper));
  }
  page.AddHeading("Table 1: what a line reads from the codes");
  page.AddParagraph(
      "Mean squared error of a linear probe from sampled codes to returns in units of their "
      "deviation, mean over the objectives.");
  page.AddTable(rows);
  for (const ProbeGroup& group : groups) {
    if (group.model == "ours") AddProbeWarnings(page, view, groups, group.mean);
  }
}

void AddGeometry(HtmlPage& page, const ReportView& view) {
  Table rows = {{"model", "components with 95 % of the variance", "mean norm of a code",
                 "variance of the first two, %"}};
  for (const json& document : ResultsOf(view.report, "geometry")) {
    const double first = NumberAt(document, "/variance_shares/0");
    const double second = NumberAt(document, "/variance_shares/1");
    rows.push_back(
        {TitleOf(ModelOf(document)), Number(document, "/dimension", 0),
         Number(document, "/norm/mean", 3),
         std::isnan(first)
             ? kNoNumber
             : fmt::format("{:.1f}", 100 * (first + (std::isnan(second) ? 0 : second)))});
  }
  if (rows.size() == 1) return;
  page.AddHeading("The geometry of the map");
  page.AddParagraph(
      "Contexts of episodes of all splits, a code each, laid out in the plane by UMAP. What is "
      "near on the map should earn alike.");
  AddFigure(page, view, "geometry",
            "Projections, each coloured by its return, and codes with contours of the returns (the "
            "paper's figures 3 and 4a).");
  AddFigure(page, view, "geometry-vae",
            "Codes of ours beside those of a VAE without the contrast (the paper's figure 4).");
  page.AddTable(rows);
}

void AddOrdering(HtmlPage& page, const ReportView& view) {
  Table rows = {{"model", "policies", "objective", "in order in z, %", "in order in h, %",
                 "median margin in z", "median margin in h"}};
  for (const json& document : ResultsOf(view.report, "ordering")) {
    const json splits = document.value("splits", json::object());
    for (const auto& [split, own] : splits.items()) {
      const json labels = own.value("ordering", json::object());
      for (const auto& [label, scores] : labels.items()) {
        rows.push_back({TitleOf(ModelOf(document)), TitleOf(split), label,
                        Number(scores, "/z/share", 2, 100), Number(scores, "/h/share", 2, 100),
                        Number(scores, "/z/margin/median", 3),
                        Number(scores, "/h/margin/median", 3)});
      }
    }
  }
  if (rows.size() == 1) return;
  page.AddHeading("Ordering");
  page.AddParagraph(
      "Share of random triples of episodes in which the one with the nearer return is nearer on "
      "the map; chance gives 50.");
  AddFigure(page, view, "ordering", "The share of triples in order, model by model.");
  page.AddTable(rows);
}

void AddContext(HtmlPage& page, const ReportView& view) {
  Table rows = {{"policies", "pairs in a context", "MSE of mean codes", "MSE of sampled codes",
                 "spread of codes", "posterior deviation"}};
  for (const json& document : ResultsOf(view.report, "context")) {
    const json splits = document.value("splits", json::object());
    for (const auto& [split, own] : splits.items()) {
      for (const json& row : own.value("rows", json::array())) {
        rows.push_back({TitleOf(split), Number(row, "/context", 0),
                        Number(row, "/mean_code/mean_mse", 4), Number(row, "/drawn/mean_mse", 4),
                        Number(row, "/spread", 4), Number(row, "/deviation", 4)});
      }
    }
  }
  if (rows.size() == 1) return;
  page.AddHeading("Error against the size of the context");
  page.AddParagraph(
      "Mean squared error of the linear probe, and how far the codes of contexts of one episode "
      "lie apart (theorem 2.1: both fall with the size, down to what the encoder errs).");
  AddFigure(page, view, "context", "Error and spread against the size of the context.");
  page.AddTable(rows);
}

void AddControlFunctionals(HtmlPage& page, const ReportView& view) {
  Table rows = {{"density", "dimensions", "points", "Monte Carlo", "control functional"}};
  for (const json& document : ResultsOf(view.report, "control-functional")) {
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
  page.AddHeading("Control functionals");
  page.AddParagraph(
      "Root mean square error of an integral with a known score; rate r: error ~ N^r. Theory: -0.5 "
      "for Monte Carlo, -1 or better for control functionals.");
  AddFigure(page, view, "control_functional", "Errors of both estimators against the points.");
  page.AddTable(rows);
}

}  // namespace rhumb::report
