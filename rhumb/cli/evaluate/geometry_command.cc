#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/geometry.h"
#include "rhumb/net/model.h"
#include "rhumb/report/picture.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct GeometryArguments {
  EvaluationSubject subject;
  std::string picture;

  void AddTo(CLI::App& command) {
    subject.AddTo(command);
    command.add_option("--picture", picture,
                       "draw the codes and their projections, laid out in the plane, into this PNG "
                       "file");
  }
};

void PrintGeometry(const eval::GeometryReport& report) {
  fmt::print("{} contexts, one of an episode each:", report.splits.size());
  for (int split = 0; split < data::kSplitCount; ++split) {
    const auto own = static_cast<data::Split>(split);
    const auto count = std::count(report.splits.begin(), report.splits.end(), own);
    fmt::print("{} {} {}", split == 0 ? "" : ",", count, data::NameOf(own));
  }
  fmt::print(
      "\ncodes: norm {:.3f} on average, {:.3f} to {:.3f} from the 10 % to the 90 % quantile\n",
      report.norm.mean, report.norm.q10, report.norm.q90);
  std::vector<std::vector<std::string>> rows = {{"component", "variance, %", "sum, %"}};
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
  json document = arguments.subject.Document(model, options.seed, eval::ToJson(report, model));
  const bool drawn =
      !arguments.picture.empty() && report::DrawPicture("geometry.py", document, arguments.picture);
  if (drawn) document["picture"] = arguments.picture;
  if (options.json) return PrintJson(document);
  PrintGeometry(report);
  if (drawn) fmt::print("picture: {}\n", arguments.picture);
}

}  // namespace

void AddGeometry(CLI::App& evaluate) {
  AddCommand<GeometryArguments, eval::GeometryConfig>(
      evaluate,
      {"geometry", "where the policies of a dataset lie on the map, and how it is spread",
       "  rhumb evaluate geometry cheetah.model --data cheetah-v0 --picture map.png\n"
       "  rhumb evaluate geometry cheetah.model --data cheetah-v0 --set contexts=500 --json\n"},
      Geometry);
}

}  // namespace rhumb::cli
