#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/data/minari_import.h"
#include "rhumb/ground/code_grounding.h"
#include "rhumb/net/model.h"
#include "rhumb/python/bindings.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
using nlohmann::json;
namespace {

nb::object ImportMinari(const std::string& source, const std::string& out,
                        const std::vector<std::string>& objectives, const std::string& environment,
                        const std::string& rewards) {
  data::ImportReport report;
  {
    const nb::gil_scoped_release release;
    data::ImportConfig config;
    config.objectives = objectives;
    core::EnvironmentBundle bundle;
    if (!environment.empty()) bundle = sim::FindBundle(environment, rewards);
    report = data::ImportMinari(source, out, config, bundle,
                                {{"config", core::ToJson(config)}, {"seed", 0}});
  }
  return ToPython({{"short_episodes", report.short_episodes},
                   {"unusable_episodes", report.unusable_episodes},
                   {"objectives", report.objectives},
                   {"ignored_infos", report.ignored_infos}});
}

std::vector<float> Numbers(const Floats& array, std::string_view name, std::int64_t rows,
                           std::int64_t columns) {
  const std::span<const float> numbers = CheckArray(array, name, rows, columns);
  return {numbers.begin(), numbers.end()};
}

// Writes a copy of the model with these rollouts in one mode. Values are means over `episodes`.
void WriteGrounded(const std::string& folder, const std::string& out, const std::string& mode,
                   const Floats& codes, const Floats& values, const Floats& deviations,
                   int episodes, std::uint64_t seed) {
  net::Model model = net::ReadModel(folder);
  const int objectives = static_cast<int>(model.description.objectives.size());
  net::Grounding grounding;
  grounding.episodes = episodes;
  grounding.seed = seed;
  net::CodeTable& table = grounding.rolled_out;
  table.code_size = model.code_size();
  table.objectives = objectives;
  table.codes = Numbers(codes, "codes", -1, table.code_size);
  table.values = Numbers(values, "values", table.count(), objectives);
  table.deviations = Numbers(deviations, "deviations", table.count(), objectives);
  const int count = table.count();
  const net::RolloutMode acting = net::ParseRolloutMode(mode);
  model.grounded[static_cast<std::size_t>(acting)] = std::move(grounding);
  json measured = *model.metrics;
  measured["grounded"][mode] = {{"codes", count},
                                {"episodes", episodes},
                                {"objectives", ground::DescribeForecasts(model, acting)}};
  model.metrics = std::make_shared<const json>(std::move(measured));
  const json manifest = {{"command", "rhumb.ground"},
                         {"seed", seed},
                         {"parents", {{"model", net::OpenModelArtifact(folder).hash()}}}};
  net::WriteModel(model, out, folder == out ? core::Existing::kReplace : core::Existing::kRefuse,
                  manifest);
}

}  // namespace

void BindData(nb::module_& module) {
  module.def("import_minari", &ImportMinari, "source"_a, "out"_a, "objectives"_a, "environment"_a,
             "rewards"_a,
             nb::sig("def import_minari(source: str, out: str, objectives: "
                     "collections.abc.Sequence[str], environment: str, rewards: str) -> dict[str, "
                     "typing.Any]"),
             "Writes a dataset folder from a Minari folder.");
  module.def("write_grounded", &WriteGrounded, "folder"_a, "out"_a, "mode"_a, "codes"_a, "values"_a,
             "deviations"_a, "episodes"_a, "seed"_a,
             nb::sig("def write_grounded(folder: str, out: str, mode: str, codes: "
                     "numpy.typing.NDArray[numpy.float32], values: "
                     "numpy.typing.NDArray[numpy.float32], deviations: "
                     "numpy.typing.NDArray[numpy.float32], episodes: int, seed: int) -> None"),
             "Writes a copy of a model with these rollouts in one mode.");
}

}  // namespace rhumb::python
