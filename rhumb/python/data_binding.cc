#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/data/minari_import.h"
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

using Layers =
    std::vector<std::pair<Floats, Floats>>;  // weights [inputs, outputs], bias [1, outputs]

std::vector<float> Numbers(const Floats& array, std::string_view name, std::int64_t rows,
                           std::int64_t columns) {
  const std::span<const float> numbers = CheckArray(array, name, rows, columns);
  return {numbers.begin(), numbers.end()};
}

// Writes a copy of the model whose heads in one mode are these. Values are means over `episodes`.
void WriteGrounded(const std::string& folder, const std::string& out, const std::string& mode,
                   const Floats& codes, const Floats& values, const Floats& deviations,
                   const Floats& code_mean, const Floats& code_inverse_scale,
                   const std::vector<Layers>& members, const Floats& residuals, const Floats& noise,
                   int episodes, std::uint64_t seed, const std::string& metrics) {
  net::Model model = net::ReadModel(folder);
  const int size = model.code_size();
  const int objectives = static_cast<int>(model.description.objectives.size());
  net::Grounding grounding;
  grounding.seed = seed;
  net::CodeTable& table = grounding.rolled_out;
  table.code_size = size;
  table.objectives = objectives;
  table.codes = Numbers(codes, "codes", -1, size);
  table.values = Numbers(values, "values", table.count(), objectives);
  table.deviations = Numbers(deviations, "deviations", table.count(), objectives);

  net::HeadEnsemble& heads = grounding.heads;
  heads.code_mean = Numbers(code_mean, "code_mean", 1, size);
  heads.code_inverse_scale = Numbers(code_inverse_scale, "code_inverse_scale", 1, size);
  heads.noise = Numbers(noise, "noise", 1, objectives);
  heads.episodes = episodes;
  CheckArray(residuals, "residuals", objectives, -1);
  for (std::size_t k = 0; k < residuals.shape(0); ++k) {
    const float* first = residuals.data() + k * residuals.shape(1);
    std::vector<float>& sorted = heads.residuals.emplace_back(first, first + residuals.shape(1));
    std::sort(sorted.begin(), sorted.end());
  }
  for (const Layers& layers : members) {
    std::vector<int> sizes = {size};
    for (const auto& [weights, bias] : layers) {
      CheckArray(weights, "weights", sizes.back(), -1);
      sizes.push_back(static_cast<int>(weights.shape(1)));
      CheckArray(bias, "bias", 1, sizes.back());
    }
    net::Mlp& member = heads.members.emplace_back(sizes, net::Activation::kElu);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const auto& [weights, bias] = layers[i];
      member.SetLayer(i, {weights.data(), weights.size()}, {bias.data(), bias.size()});
    }
  }
  model.grounded[static_cast<std::size_t>(net::ParseRolloutMode(mode))] = std::move(grounding);
  json measured = *model.metrics;
  measured["grounded"][mode] = json::parse(metrics);
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
             "deviations"_a, "code_mean"_a, "code_inverse_scale"_a, "members"_a, "residuals"_a,
             "noise"_a, "episodes"_a, "seed"_a, "metrics"_a,
             nb::sig("def write_grounded(folder: str, out: str, mode: str, codes: "
                     "numpy.typing.NDArray[numpy.float32], values: "
                     "numpy.typing.NDArray[numpy.float32], deviations: "
                     "numpy.typing.NDArray[numpy.float32], code_mean: "
                     "numpy.typing.NDArray[numpy.float32], code_inverse_scale: "
                     "numpy.typing.NDArray[numpy.float32], members: "
                     "collections.abc.Sequence[typing.Any], residuals: "
                     "numpy.typing.NDArray[numpy.float32], noise: "
                     "numpy.typing.NDArray[numpy.float32], episodes: int, seed: int, metrics: str) "
                     "-> None"),
             "Writes a copy of a model with these heads in one mode.");
}

}  // namespace rhumb::python
