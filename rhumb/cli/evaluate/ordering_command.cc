#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/context_size.h"
#include "rhumb/eval/control_functional.h"
#include "rhumb/eval/ordering.h"
#include "rhumb/net/model.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;
using Table = std::vector<std::vector<std::string>>;

std::string SplitName(std::size_t split) {
  return std::string(data::NameOf(static_cast<data::Split>(split)));
}

void PrintOrdering(const eval::OrderingReport& report) {
  Table rows = {
      {"split", "episodes", "label", "space", "in order, %", "margin 10 %", "median", "90 %"}};
  for (const double delta : report.config.deltas) {
    rows[0].push_back(fmt::format("δ = {}, %", delta));
  }
  for (std::size_t split = 0; split < report.splits.size(); ++split) {
    const auto& own = report.splits[split];
    if (!own) continue;
    for (std::size_t k = 0; k < report.labels.size(); ++k) {
      const auto add = [&](const char* space, const eval::OrderingScore& score) {
        std::vector<std::string> row = {SplitName(split), std::to_string(own->episodes),
                                        report.labels[k], space,
                                        FormatNumber(100 * score.share, "{:.2f}")};
        for (const double value : {score.margin.q10, score.margin.median, score.margin.q90}) {
          row.push_back(FormatNumber(value, "{:.3f}"));
        }
        for (const double share : score.strict) {
          row.push_back(FormatNumber(100 * share, "{:.2f}"));
        }
        rows.push_back(std::move(row));
      };
      add("z", own->labels[k].z);
      add("h", own->labels[k].h);
    }
  }
  fmt::print("{} triples of episodes in each split ({} codes); chance puts 50 % in order\n{}",
             report.config.triples, report.config.codes, FormatTable(rows));
  fmt::print("δ: the share with a margin above 1/δ, as the definition has it\n");
}

void Ordering(const CommonOptions& options, const EvaluationSubject& subject,
              const eval::OrderingConfig& config) {
  const auto [model, dataset] = subject.Open();
  const eval::OrderingReport report =
      eval::MeasureOrdering(model, dataset, config, options.seed, options.threads);
  if (options.json) return PrintJson(subject.Document(model, options.seed, eval::ToJson(report)));
  PrintOrdering(report);
}

void PrintContextSizes(const eval::ContextSizeReport& report) {
  Table rows = {{"split", "context"}};
  for (const std::string& label : report.labels) rows[0].push_back("MSE of " + label);
  for (const char* name : {"mean MSE", "of codes drawn", "spread", "deviation"}) {
    rows[0].push_back(name);
  }
  for (std::size_t split = 0; split < report.splits.size(); ++split) {
    if (!report.splits[split]) continue;
    for (const eval::ContextSizeRow& of_size : report.splits[split]->rows) {
      std::vector<std::string> row = {SplitName(split), std::to_string(of_size.size)};
      for (const double mse : of_size.mean_code.mse) row.push_back(FormatNumber(mse));
      for (const double value : {of_size.mean_code.mean_mse, of_size.drawn.mean_mse, of_size.spread,
                                 of_size.deviation}) {
        row.push_back(FormatNumber(value));
      }
      rows.push_back(std::move(row));
    }
  }
  fmt::print("linear probe of posterior means, fitted to training contexts of {} pairs\n{}",
             report.trained_size, FormatTable(rows));
  for (std::size_t split = 0; split < report.splits.size(); ++split) {
    if (!report.splits[split]) continue;
    fmt::print("{}: spread between contexts of an episode ~ N^{}\n", SplitName(split),
               FormatNumber(report.splits[split]->spread_rate, "{:.2f}"));
  }
  fmt::print("spread of all training codes: {:.3f}\n", report.code_spread);
}

void Context(const CommonOptions& options, const EvaluationSubject& subject,
             const eval::ContextSizeConfig& config) {
  const auto [model, dataset] = subject.Open();
  const eval::ContextSizeReport report =
      eval::MeasureContextSizes(model, dataset, config, options.seed, options.threads);
  if (options.json) return PrintJson(subject.Document(model, options.seed, eval::ToJson(report)));
  PrintContextSizes(report);
}

void PrintControlFunctionals(const eval::ControlFunctionalReport& report) {
  Table rows = {{"density", "dimensions", "points", "Monte Carlo", "control functional"}};
  for (const eval::EstimatorCase& own : report.cases) {
    const std::vector<std::string> names = {own.density, std::to_string(own.dimension)};
    for (const eval::EstimatorRow& row : own.rows) {
      rows.push_back({names[0], names[1], std::to_string(row.size),
                      FormatNumber(row.monte_carlo, "{:.2e}"),
                      FormatNumber(row.control_functional, "{:.2e}")});
    }
    rows.push_back({names[0], names[1], "rate", FormatNumber(own.monte_carlo_rate, "{:.2f}"),
                    FormatNumber(own.control_functional_rate, "{:.2f}")});
  }
  fmt::print(
      "root mean square error of the mean of sin(π/d Σ x), {} repeats; rate r: error ~ N^r\n{}",
      report.config.repeats, FormatTable(rows));
}

void ControlFunctional(const CommonOptions& options, const NoArguments&,
                       const eval::ControlFunctionalConfig& config) {
  const eval::ControlFunctionalReport report =
      eval::MeasureControlFunctionals(config, options.seed, options.threads);
  if (!options.json) return PrintControlFunctionals(report);
  json document = eval::ToJson(report);
  document["seed"] = options.seed;
  PrintJson(document);
}

}  // namespace

void AddOrdering(CLI::App& evaluate) {
  AddCommand<EvaluationSubject, eval::OrderingConfig>(
      evaluate,
      {"ordering", "are policies of nearer labels nearer on the map, split by split",
       "  rhumb evaluate ordering cheetah.model --data cheetah-v0\n"},
      Ordering);
}

void AddContext(CLI::App& evaluate) {
  AddCommand<EvaluationSubject, eval::ContextSizeConfig>(
      evaluate,
      {"context", "the error of the codes against the size of the contexts",
       "  rhumb evaluate context cheetah.model --data cheetah-v0 --set sizes=8,32,128\n"},
      Context);
}

void AddControlFunctional(CLI::App& evaluate) {
  AddCommand<NoArguments, eval::ControlFunctionalConfig>(
      evaluate,
      {"control-functional",
       "error rates of control functionals and of Monte Carlo where the score is known",
       "  rhumb evaluate control-functional --set sizes=16,64,256\n"},
      ControlFunctional);
}

}  // namespace rhumb::cli
