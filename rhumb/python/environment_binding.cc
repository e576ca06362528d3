#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/net/model.h"
#include "rhumb/python/bindings.h"
#include "rhumb/python/vector_environment.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/renderer.h"

namespace rhumb::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
using nlohmann::json;
namespace {

constexpr int kMaxCount = 1 << 16;
constexpr int kMaxThreads = 1024;
constexpr int kMaxPixels = 8192;

// An environment that its copies share.
class SharedEnvironment {
 public:
  // `name`: the id of a bundled environment, or the path of a spec; or a model's folder.
  SharedEnvironment(const std::string& name, const std::string& rewards, bool of_model) {
    const nb::gil_scoped_release release;
    environment_ = of_model
                       ? std::make_shared<const sim::Environment>(
                             rollout::MakeEnvironment(net::ReadModel(name)))
                       : std::make_shared<const sim::Environment>(sim::FindBundle(name, rewards));
  }
  const std::shared_ptr<const sim::Environment>& shared() const { return environment_; }

  nb::object Describe() const {
    const sim::Environment& environment = *environment_;
    std::vector<double> low, high;
    for (std::size_t a = 0; a < environment.action_centre().size(); ++a) {
      low.push_back(environment.action_centre()[a] - environment.action_half_range()[a]);
      high.push_back(environment.action_centre()[a] + environment.action_half_range()[a]);
    }
    json objectives = json::array(), quantities = json::array();
    for (const sim::ObjectiveSpec& one : environment.objectives()) {
      objectives.push_back({{"name", one.name}, {"unit", one.unit}, {"help", one.help}});
    }
    for (const sim::Quantity& one : environment.quantities()) quantities.push_back(one.name);
    return ToPython({{"id", environment.id()},
                     {"rewards", environment.rewards()},
                     {"title", environment.spec().title},
                     {"time_limit", environment.time_limit()},
                     {"control_step", environment.control_step()},
                     {"observation_size", environment.observation_size()},
                     {"action_low", low},
                     {"action_high", high},
                     {"action_names", environment.action_names()},
                     {"nq", environment.model()->nq},
                     {"nv", environment.model()->nv},
                     {"objectives", objectives},
                     {"quantities", quantities}});
  }

 private:
  std::shared_ptr<const sim::Environment> environment_;
};

template <class Number>
std::vector<Number> Copy(std::span<const Number> numbers) {
  return {numbers.begin(), numbers.end()};
}

// VectorEnvironment with arrays of NumPy.
class BoundVector {
 public:
  BoundVector(const SharedEnvironment& environment, int count, int threads,
              const std::string& autoreset)
      : vector_(environment.shared(), CheckedCount(count, "num_envs", kMaxCount),
                CheckedCount(threads, "threads", kMaxThreads),
                kAutoresetNames.Parse(autoreset, "unknown autoreset mode")) {}

  // Without seeds, each environment starts its next episode.
  nb::object Reset(const std::optional<std::vector<std::uint64_t>>& seeds,
                   const std::vector<int>& indices) {
    if (seeds && seeds->size() != indices.size()) {
      Fail("{} seeds for {} environments", seeds->size(), indices.size());
    }
    {
      const nb::gil_scoped_release release;
      for (std::size_t i = 0; i < indices.size(); ++i) {
        CheckIndex(indices[i]);
        if (seeds) vector_.Seed(indices[i], (*seeds)[i]);
        vector_.Reset(indices[i]);
      }
    }
    return Observations();
  }

  void SetState(int index, const Doubles& qpos, const Doubles& qvel) {
    CheckIndex(index);
    const mjModel* model = vector_.environment().model();
    vector_.SetState(index, CheckArray(qpos, "qpos", 1, model->nq),
                     CheckArray(qvel, "qvel", 1, model->nv));
  }

  nb::object Step(const Doubles& actions) {
    const std::span<const double> controls =
        CheckArray(actions, "actions", vector_.count(), vector_.environment().action_size());
    {
      const nb::gil_scoped_release release;
      vector_.Step(controls);
    }
    const std::size_t count = Rows();
    std::vector<std::uint8_t> ends(2 * count);
    for (std::size_t i = 0; i < count; ++i) {
      ends[i] = vector_.outcomes()[i].terminated ? 1 : 0;
      ends[count + i] = vector_.outcomes()[i].truncated ? 1 : 0;
    }
    return nb::make_tuple(
        Observations(),
        MakeArray(Copy(vector_.rewards()), {count, vector_.rewards().size() / count}),
        MakeArray(std::move(ends), {2, count}), vector_.any_ended());
  }

  nb::object FinalObservations() const { return Matrix(vector_.final_observations()); }
  nb::object Observations() const { return Matrix(vector_.batch().observations()); }
  nb::object Quantities() const { return Matrix(vector_.batch().quantities()); }
  nb::object Diverged() const {
    std::vector<std::uint8_t> diverged;
    for (const sim::StepOutcome& one : vector_.outcomes()) diverged.push_back(one.diverged ? 1 : 0);
    return MakeArray(std::move(diverged), {Rows()});
  }
  nb::object State(int index) const {
    CheckIndex(index);
    const auto qpos = vector_.batch().qpos(index), qvel = vector_.batch().qvel(index);
    return nb::make_tuple(MakeArray(Copy(qpos), {qpos.size()}),
                          MakeArray(Copy(qvel), {qvel.size()}));
  }

  // RGB [height, width, 3] of one environment.
  nb::object Render(int index, int width, int height) {
    CheckIndex(index);
    CheckedCount(width, "width", kMaxPixels);
    CheckedCount(height, "height", kMaxPixels);
    const mjModel* model = vector_.environment().model();
    if (!renderer_ || renderer_->width() != width || renderer_->height() != height) {
      renderer_ = std::make_unique<sim::Renderer>(*model, width, height);
      data_.reset(mj_makeData(model));
    }
    const auto qpos = vector_.batch().qpos(index);
    std::copy(qpos.begin(), qpos.end(), data_->qpos);
    mj_forward(model, data_.get());
    const std::span<const std::uint8_t> pixels = renderer_->Render(data_.get());
    return MakeArray(Copy(pixels),
                     {static_cast<std::size_t>(height), static_cast<std::size_t>(width), 3});
  }

 private:
  static int CheckedCount(int count, const char* name, int most) {
    if (count < 1 || count > most) Fail("{} is {}; it must be 1 to {}", name, count, most);
    return count;
  }
  void CheckIndex(int index) const {
    if (index < 0 || index >= vector_.count()) {
      Fail("environment {}; the environments are 0 to {}", index, vector_.count() - 1);
    }
  }
  std::size_t Rows() const { return static_cast<std::size_t>(vector_.count()); }
  nb::object Matrix(std::span<const double> numbers) const {
    return MakeArray(Copy(numbers), {Rows(), numbers.size() / Rows()});
  }

  VectorEnvironment vector_;
  std::unique_ptr<sim::Renderer> renderer_;
  sim::DataPointer data_;
};

}  // namespace

void BindEnvironment(nb::module_& module) {
  module.def(
      "bundled_environments",
      [] {
        std::vector<std::string> ids;
        for (const core::EnvironmentBundle& bundle : sim::ListBundled()) ids.push_back(bundle.id);
        return ids;
      },
      "Ids of the bundled environments.");

  nb::class_<SharedEnvironment>(module, "Environment", "A robot and its spec. Thread-safe.")
      .def(nb::init<const std::string&, const std::string&, bool>(), "name"_a, "rewards"_a = "",
           "of_model"_a = false,
           "`name`: an id, the path of a spec, or with `of_model` a model's folder.")
      .def("describe", &SharedEnvironment::Describe,
           nb::sig("def describe(self) -> dict[str, typing.Any]"));

#define RHUMB_ARRAY "numpy.typing.NDArray[numpy.float64]"
  nb::class_<BoundVector>(module, "VectorEnvironment", "Copies of an environment. One thread.")
      .def(nb::init<const SharedEnvironment&, int, int, const std::string&>(), "environment"_a,
           "count"_a, "threads"_a, "autoreset"_a)
      .def("reset", &BoundVector::Reset, "seeds"_a.none(), "indices"_a,
           nb::sig("def reset(self, seeds: collections.abc.Sequence[int] | None, indices: "
                   "collections.abc.Sequence[int]) -> " RHUMB_ARRAY),
           "Starts the next episodes; returns all observations [N, O].")
      .def("set_state", &BoundVector::SetState, "index"_a, "qpos"_a, "qvel"_a,
           nb::sig("def set_state(self, index: int, qpos: " RHUMB_ARRAY ", qvel: " RHUMB_ARRAY
                   ") -> None"),
           "Starts an episode at qpos [1, nq], qvel [1, nv].")
      .def("step", &BoundVector::Step, "actions"_a,
           nb::sig("def step(self, actions: " RHUMB_ARRAY ") -> tuple[" RHUMB_ARRAY
                   ", numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint8], "
                   "bool]"),
           "Observations [N, O], rewards [N, K], terminated and truncated [2, N], any ended.")
      .def("final_observations", &BoundVector::FinalObservations,
           nb::sig("def final_observations(self) -> " RHUMB_ARRAY))
      .def("observations", &BoundVector::Observations,
           nb::sig("def observations(self) -> " RHUMB_ARRAY))
      .def("quantities", &BoundVector::Quantities, nb::sig("def quantities(self) -> " RHUMB_ARRAY))
      .def("diverged", &BoundVector::Diverged,
           nb::sig("def diverged(self) -> numpy.typing.NDArray[numpy.uint8]"))
      .def("state", &BoundVector::State, "index"_a,
           nb::sig("def state(self, index: int) -> tuple[" RHUMB_ARRAY ", " RHUMB_ARRAY "]"))
      .def("render", &BoundVector::Render, "index"_a, "width"_a, "height"_a,
           nb::sig("def render(self, index: int, width: int, height: int) -> "
                   "numpy.typing.NDArray[numpy.uint8]"));
#undef RHUMB_ARRAY
}

}  // namespace rhumb::python
