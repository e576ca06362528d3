#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/file.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/population/population_description.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/python/bindings.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/environment.h"

namespace rhumb::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
using nlohmann::json;
namespace {

std::vector<float> Row(const Floats& array, std::string_view name, int size) {
  const std::span<const float> numbers = CheckArray(array, name, 1, size);
  return {numbers.begin(), numbers.end()};
}

// A policy of somebody else in our form. Layers are weights [inputs, outputs] and bias [1,
// outputs].
class ForeignPolicy {
 public:
  ForeignPolicy(const std::vector<std::pair<Floats, Floats>>& layers, const std::string& activation,
                const Floats& mean, const Floats& inverse_scale, float limit,
                const Floats& deviation) {
    if (layers.empty()) Fail("a policy needs at least one layer");
    std::vector<int> sizes;
    for (const auto& [weights, bias] : layers) {
      CheckArray(weights, "weights", sizes.empty() ? -1 : sizes.back(), -1);
      if (sizes.empty()) sizes.push_back(static_cast<int>(weights.shape(0)));
      sizes.push_back(static_cast<int>(weights.shape(1)));
      CheckArray(bias, "bias", 1, sizes.back());
    }
    policy_.mean =
        net::Mlp(sizes, net::kActivationNames.Parse(activation, "unknown activation function"));
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const auto& [weights, bias] = layers[i];
      policy_.mean.SetLayer(i, {weights.data(), weights.size()}, {bias.data(), bias.size()});
    }
    policy_.normaliser = {Row(mean, "mean", sizes.front()),
                          Row(inverse_scale, "inverse_scale", sizes.front()), limit};
    policy_.deviation = Row(deviation, "deviation", sizes.back());
    const auto positive = [](float number) { return number > 0; };
    if (!std::ranges::all_of(policy_.normaliser.inverse_scale, positive) || !positive(limit) ||
        !std::ranges::all_of(policy_.deviation, positive)) {
      Fail("the scales, the limit and the deviations of a policy must be above 0");
    }
  }

  explicit ForeignPolicy(net::GaussianPolicy policy) : policy_(std::move(policy)) {}

  // observations [N, O] -> means [N, A], in [-1, 1] units and unclipped.
  nb::object Means(const Doubles& observations) const {
    CheckArray(observations, "observations", -1, policy_.observation_size());
    const auto rows = observations.shape(0);
    std::vector<float> means(rows * static_cast<std::size_t>(policy_.action_size()));
    net::PolicyActor(policy_, static_cast<int>(rows))
        .Means(observations.data(), static_cast<int>(rows), means.data());
    return MakeArray(std::move(means), {rows, static_cast<std::size_t>(policy_.action_size())});
  }
  nb::object Deviation() const { return MakeArray(policy_.deviation, {policy_.deviation.size()}); }

  const net::GaussianPolicy& policy() const { return policy_; }

 private:
  net::GaussianPolicy policy_;
};

using Matrix = std::vector<std::vector<double>>;

// agents: policies by agent, the oldest first. returns [agents][K] and lengths [agents] are what
// the last policy of each agent realised.
void WritePopulation(const std::string& folder, const std::string& environment_name,
                     const std::string& rewards,
                     const std::vector<std::vector<const ForeignPolicy*>>& agents,
                     const Matrix& weights, const Matrix& returns,
                     const std::vector<double>& lengths, const std::string& source) {
  const sim::Environment environment(sim::FindBundle(environment_name, rewards));
  population::PopulationDescription description;
  description.environment = environment.bundle();
  for (const sim::ObjectiveSpec& one : environment.objectives()) {
    description.objectives.push_back({one.name, one.unit});
  }
  description.observation_size = environment.observation_size();
  description.action_size = environment.action_size();
  description.time_limit = environment.time_limit();
  description.weights = weights;
  const std::size_t objectives = description.objectives.size();

  core::ArtifactWriter writer(folder, "population");
  for (std::size_t id = 0; id < agents.size(); ++id) {
    if (weights.at(id).size() != objectives || returns.at(id).size() != objectives) {
      Fail("agent {} has {} weights for {} objectives", id, weights[id].size(), objectives);
    }
    population::Agent agent;
    agent.id = static_cast<int>(id);
    agent.weights = weights[id];
    agent.file = fmt::format("agents/agent_{:03}.safetensors", id);
    net::SafetensorsWriter pack;
    for (const ForeignPolicy* one : agents[id]) {
      const net::GaussianPolicy& policy = one->policy();
      if (policy.observation_size() != description.observation_size ||
          policy.action_size() != description.action_size) {
        Fail("a policy of agent {} maps {} numbers to {}; '{}' has {} and {}", id,
             policy.observation_size(), policy.action_size(), environment.id(),
             description.observation_size, description.action_size);
      }
      agent.kept_iterations.push_back(static_cast<int>(agent.kept_iterations.size()) + 1);
      policy.Write(pack, fmt::format("iteration_{:05}.", agent.kept_iterations.back()),
                   /*half=*/false);
    }
    const int iterations = static_cast<int>(agents[id].size());
    description.iterations = std::max(description.iterations, iterations);
    agent.curves.iterations = {iterations};
    agent.curves.returns = {returns[id]};
    agent.curves.episode_length = {lengths.at(id)};
    const std::vector<float>& deviation = agents[id].back()->policy().deviation;
    agent.curves.deviation = {deviation.front()};
    core::WriteFileAtomically(writer.file(agent.file), pack.Bytes());
    description.agents.push_back(std::move(agent));
  }
  population::FinishPopulation(writer, description,
                               {{"seed", 0}, {"config", {{"imported_from", source}}}});
}

std::shared_ptr<ForeignPolicy> ReadPolicy(const std::string& folder, int agent, int iteration) {
  const population::PopulationReader reader(folder);
  const auto& agents = reader.description().agents;
  if (agent < 0 || static_cast<std::size_t>(agent) >= agents.size()) {
    Fail("agent {}; {} has the agents 0 to {}", agent, folder, agents.size() - 1);
  }
  return std::make_shared<ForeignPolicy>(
      reader.ReadPolicy(*reader.OpenAgent(static_cast<std::size_t>(agent)), iteration));
}

}  // namespace

void BindPopulation(nb::module_& module) {
  nb::class_<ForeignPolicy>(module, "GaussianPolicy",
                            "A policy of a population: normaliser, network and deviation.")
      .def(nb::init<const std::vector<std::pair<Floats, Floats>>&, const std::string&,
                    const Floats&, const Floats&, float, const Floats&>(),
           "layers"_a, "activation"_a, "mean"_a, "inverse_scale"_a, "limit"_a, "deviation"_a,
           nb::sig("def __init__(self, layers: "
                   "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32]]], activation: str, mean: "
                   "numpy.typing.NDArray[numpy.float32], inverse_scale: "
                   "numpy.typing.NDArray[numpy.float32], limit: float, deviation: "
                   "numpy.typing.NDArray[numpy.float32]) -> None"))
      .def("means", &ForeignPolicy::Means, "observations"_a,
           nb::sig("def means(self, observations: numpy.typing.NDArray[numpy.float64]) -> "
                   "numpy.typing.NDArray[numpy.float32]"),
           "Observations [N, O] to means [N, A] of actions in [-1, 1], unclipped.")
      .def("deviation", &ForeignPolicy::Deviation,
           nb::sig("def deviation(self) -> numpy.typing.NDArray[numpy.float32]"));
  module.def("write_population", &WritePopulation, "folder"_a, "environment"_a, "rewards"_a,
             "agents"_a, "weights"_a, "returns"_a, "lengths"_a, "source"_a,
             "Writes a population folder in one step.");
  module.def("read_policy", &ReadPolicy, "folder"_a, "agent"_a, "iteration"_a,
             "A policy of a population folder.");
}

}  // namespace rhumb::python
