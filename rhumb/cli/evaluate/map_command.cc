// Measurements of the map alone, without roll-outs, and of the estimator behind it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/eval/map/context_size.h"
#include "rhumb/eval/map/control_functional.h"
#include "rhumb/eval/map/geometry.h"
#include "rhumb/eval/map/ordering.h"
#include "rhumb/eval/map/probe.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

// Measures a model on a dataset, and prints the report.
template <class Config, class Report>
void AddMeasure(Command& evaluate, const CommandText& text,
                Report (*measure)(const net::Model&, const data::Dataset&, const Config&,
                                  std::uint64_t seed, int threads),
                void (*print)(const Report&)) {
  AddCommand<EvaluationSubject, Config>(
      evaluate, text,
      [=](const CommonOptions& options, const EvaluationSubject& subject, const Config& config) {
        const auto [model, dataset] = subject.Open();
        const Report report = measure(model, dataset, config, options.seed, options.threads);
        PrintResult(options, subject.Document(model, options.seed, eval::ToJson(report)), "",
                    [&] { print(report); });
      });
}

void PrintProbe(const eval::ProbeReport& report) {
  Table rows = {{"split", "episodes"}};
  for (const std::string& label : report.labels) rows[0].push_back("MSE of " + label);
  rows[0].push_back("mean MSE");
  for (const std::string& label : report.labels) rows[0].push_back("R² of " + label);
  for (const auto& [split, score] : report.splits) {
    Row& row = rows.emplace_back(Row{data::NameOf(split), std::to_string(score.episodes)});
    for (const double mse : score.mse) row.push_back(FormatNumber(mse));
    row.push_back(FormatNumber(score.mean_mse));
    for (const double r2 : score.r2) row.push_back(FormatNumber(r2));
  }
  fmt::print("linear probe of sampled codes, labels in units of their deviation\n{}",
             FormatTable(rows));
  fmt::print("codes of training contexts: mean norm {:.3f}, mean posterior deviation {:.3f}\n",
             report.code_norm, report.code_deviation);
}

void PrintOrdering(const eval::OrderingReport& report) {
  Table rows = {
      {"split", "episodes", "label", "space", "in order, %", "margin 10 %", "median", "90 %"}};
  for (const double delta : report.config.deltas) {
    rows[0].push_back(fmt::format("δ = {}, %", delta));
  }
  for (const auto& [split, own] : report.splits) {
    for (std::size_t k = 0; k < report.labels.size(); ++k) {
      const auto add = [&, &split = split, &own = own](const char* space,
                                                       const eval::OrderingScore& score) {
        Row& row = rows.emplace_back(Row{data::NameOf(split), std::to_string(own.episodes),
                                         report.labels[k], space,
                                         FormatNumber(100 * score.share, "{:.2f}")});
        for (const double value : {score.margin.q10, score.margin.median, score.margin.q90}) {
          row.push_back(FormatNumber(value, "{:.3f}"));
        }
        for (const double share : score.strict) row.push_back(FormatNumber(100 * share, "{:.2f}"));
      };
      add("z", own.labels[k].z);
      add("h", own.labels[k].h);
    }
  }
  fmt::print("{} triples of episodes in each split ({} codes); chance puts 50 % in order\n{}",
             report.config.triples, report.config.codes, FormatTable(rows));
  fmt::print("δ: the share with a margin above 1/δ, as the definition has it\n");
}

void PrintContextSizes(const eval::ContextSizeReport& report) {
  Table rows = {{"split", "context"}};
  for (const std::string& label : report.labels) rows[0].push_back("MSE of " + label);
  for (const char* name : {"mean MSE", "of codes drawn", "spread", "deviation"}) {
    rows[0].push_back(name);
  }
  for (const auto& [split, own] : report.splits) {
    for (const eval::ContextSizeRow& of_size : own.rows) {
      Row& row = rows.emplace_back(Row{data::NameOf(split), std::to_string(of_size.size)});
      for (const double mse : of_size.mean_code.mse) row.push_back(FormatNumber(mse));
      for (const double value : {of_size.mean_code.mean_mse, of_size.drawn.mean_mse, of_size.spread,
                                 of_size.deviation}) {
        row.push_back(FormatNumber(value));
      }
    }
  }
  fmt::print("linear probe of posterior means, fitted to training contexts of {} pairs\n{}",
             report.trained_size, FormatTable(rows));
  for (const auto& [split, own] : report.splits) {
    fmt::print("{}: spread between contexts of an episode ~ N^{}\n", data::NameOf(split),
               FormatNumber(own.spread_rate, "{:.2f}"));
  }
  fmt::print("spread of all training codes: {:.3f}\n", report.code_spread);
}

struct GeometryArguments {
  EvaluationSubject subject;
  std::string picture;

  void AddTo(Command& command) {
    subject.AddTo(command);
    AddPicture(command, picture, "the codes and their projections in the plane");
  }
};

void PrintGeometry(const eval::GeometryReport& report) {
  fmt::print("{} contexts, one of an episode each:", report.splits.size());
  for (const data::Split split : data::kSplits) {
    fmt::print("{} {} {}", split == data::kSplits.front() ? "" : ",",
               std::ranges::count(report.splits, split), data::NameOf(split));
  }
  fmt::print(
      "\ncodes: norm {:.3f} on average, {:.3f} to {:.3f} from the 10 % to the 90 % quantile\n",
      report.norm.mean, report.norm.q10, report.norm.q90);
  Table rows = {{"component", "variance, %", "sum, %"}};
  double sum = 0;
  for (int i = 0; i < report.variance.dimension; ++i) {
    const double share = report.variance.shares[static_cast<std::size_t>(i)];
    sum += share;
    rows.push_back({std::to_string(i + 1), fmt::format("{:.2f}", 100 * share),
                    fmt::format("{:.2f}", 100 * sum)});
  }
  fmt::print("{}", FormatTable(rows));
  fmt::print("{} of {} components hold {:g} % of the variance\n", report.variance.dimension,
             report.variance.shares.size(), 100 * eval::kDimensionShare);
}

void Geometry(const CommonOptions& options, const GeometryArguments& arguments,
              const eval::GeometryConfig& config) {
  const auto [model, dataset] = arguments.subject.Open();
  const eval::GeometryReport report =
      eval::MeasureGeometry(model, dataset, config, options.seed, options.threads);
  const json document =
      arguments.subject.Document(model, options.seed, eval::ToJson(report, model));
  PrintResult(options, document, DrawRequested("geometry.py", document, arguments.picture),
              [&] { PrintGeometry(report); });
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
  json document = eval::ToJson(report);
  document["seed"] = options.seed;
  PrintResult(options, document, "", [&] { PrintControlFunctionals(report); });
}

}  // namespace

void AddMapMeasures(Command& evaluate) {
  AddMeasure(evaluate,
             {"probe", "how well a linear map predicts the labels from the codes, by split",
              "  rhumb evaluate probe cheetah.model --data cheetah-v0\n"},
             eval::MeasureProbe, PrintProbe);
  AddMeasure(evaluate,
             {"ordering", "whether policies with nearer labels are nearer on the map, by split",
              "  rhumb evaluate ordering cheetah.model --data cheetah-v0\n"},
             eval::MeasureOrdering, PrintOrdering);
  AddMeasure(evaluate,
             {"context", "error of the codes against the size of their contexts",
              "  rhumb evaluate context cheetah.model --data cheetah-v0 --set sizes=8,32,128\n"},
             eval::MeasureContextSizes, PrintContextSizes);
  AddCommand<GeometryArguments, eval::GeometryConfig>(
      evaluate,
      {"geometry", "positions of a dataset's policies on the map, and their spread",
       "  rhumb evaluate geometry cheetah.model --data cheetah-v0 --picture map.png\n"
       "  rhumb evaluate geometry cheetah.model --data cheetah-v0 --set contexts=500 --json\n"},
      Geometry);
  AddCommand<NoArguments, eval::ControlFunctionalConfig>(
      evaluate,
      {"control-functional",
       "error rates of control functionals and of Monte Carlo, on densities with a known score",
       "  rhumb evaluate control-functional --set sizes=16,64,256\n"},
      ControlFunctional);
}

}  // namespace rhumb::cli
