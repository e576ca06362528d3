#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/net/code_actor.h"
#include "rhumb/net/model.h"
#include "rhumb/net/onnx_export.h"
#include "rhumb/python/bindings.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/onnx_metadata.h"
#include "rhumb/rollout/trajectory.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/steerer.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
using nlohmann::json;
namespace {

using Texts = std::vector<std::string>;

// Steerers with different settings that a model keeps ready; the oldest goes first.
constexpr std::size_t kMaxSteerers = 8;

std::size_t Size(int number) { return static_cast<std::size_t>(number); }

// A loaded model. Thread-safe.
class LoadedModel {
 public:
  explicit LoadedModel(const std::string& name) {
    const nb::gil_scoped_release release;
    folder_ = zoo::FindModel(name).string();
    model_ = std::make_shared<const net::Model>(net::ReadModel(folder_));
  }

  const std::string& folder() const { return folder_; }
  const net::Model& model() const { return *model_; }
  const std::shared_ptr<const net::Model>& shared() const { return model_; }

  // The steerer with these settings, "key=value" each, on top of a preset.
  std::shared_ptr<const steer::Steerer> SteererWith(const std::string& mode,
                                                    const std::string& preset,
                                                    const Texts& settings) const {
    std::string key = mode + "\n" + preset;
    for (const std::string& setting : settings) key += "\n" + setting;
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(steerers_.begin(), steerers_.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (found != steerers_.end()) return found->second;
    steer::SteerOptions options = steer::PresetOptions(preset);
    for (const std::string& setting : settings) core::ApplySetting(options, setting);
    auto steerer =
        std::make_shared<const steer::Steerer>(*model_, net::ParseRolloutMode(mode), options);
    if (steerers_.size() == kMaxSteerers) steerers_.erase(steerers_.begin());
    steerers_.emplace_back(key, steerer);
    return steerer;
  }

 private:
  std::string folder_;
  std::shared_ptr<const net::Model> model_;
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<std::string, std::shared_ptr<const steer::Steerer>>> steerers_;
};

nb::object Describe(const LoadedModel& self) {
  const net::Model& model = self.model();
  const net::ModelDescription& description = model.description;
  json objectives = json::array();
  for (const net::ModelObjective& one : description.objectives) {
    objectives.push_back({{"name", one.name},
                          {"unit", one.unit},
                          {"expression", one.expression},
                          {"mean", one.mean},
                          {"std", one.std},
                          {"min", one.min},
                          {"max", one.max}});
  }
  json grounded = json::array();
  for (const net::RolloutMode mode : {net::RolloutMode::kSampled, net::RolloutMode::kMean}) {
    if (model.grounded[Size(static_cast<int>(mode))]) grounded.push_back(net::NameOf(mode));
  }
  return ToPython({{"environment", description.environment.id},
                   {"rewards", description.environment.rewards},
                   {"simulated", description.environment.has_files()},
                   {"variant", description.variant},
                   {"time_limit", description.time_limit},
                   {"context", description.context},
                   {"observation_size", model.observation_size()},
                   {"action_size", model.action_size()},
                   {"code_size", model.code_size()},
                   {"action_centre", model.action_centre},
                   {"action_half_range", model.action_half_range},
                   {"objectives", objectives},
                   {"grounded", grounded}});
}

// The table's arrays without a copy: (codes [N, H], values [N, K]).
nb::object Views(const net::CodeTable& table, nb::handle owner) {
  const std::size_t count = Size(table.count());
  return nb::make_tuple(MakeView<float>(table.codes, {count, Size(table.code_size)}, owner),
                        MakeView<float>(table.values, {count, Size(table.objectives)}, owner));
}

nb::object RolledOut(nb::handle self, const std::string& mode) {
  const auto& model = nb::cast<const LoadedModel&>(self).model();
  const auto& grounding = model.grounded[Size(static_cast<int>(net::ParseRolloutMode(mode)))];
  if (!grounding) Fail("the model is not grounded with {} actions", mode);
  const net::CodeTable& table = grounding->rolled_out;
  if (table.deviations.size() != table.values.size())
    Fail("the model has no deviations of {} actions", mode);
  const std::size_t count = Size(table.count());
  const std::vector<std::size_t> shape = {count, Size(table.objectives)};
  return nb::make_tuple(MakeView<float>(table.codes, {count, Size(table.code_size)}, self),
                        MakeView<float>(table.values, shape, self),
                        MakeView<float>(table.deviations, shape, self), grounding->episodes);
}

nb::object Steer(const LoadedModel& self, const Texts& target, const Texts& require,
                 const Texts& maximise, const Texts& minimise, const Texts& change,
                 const std::optional<Floats>& like, const std::string& mode,
                 const std::string& preset, const Texts& settings, std::uint64_t seed) {
  const int code_size = self.model().code_size();
  std::optional<steer::Reference> reference;
  if (like) {
    const std::span<const float> code = CheckArray(*like, "like", 1, code_size);
    reference.emplace().code.assign(code.begin(), code.end());
  }
  json document;
  {
    const nb::gil_scoped_release release;
    steer::Query query;
    for (const std::string& text : target) query.AddTarget(text);
    for (const std::string& text : require) query.AddRequirement(text);
    for (const std::string& text : maximise) query.Maximise(text);
    for (const std::string& text : minimise) query.Minimise(text);
    for (const std::string& text : change) query.AddChange(text);
    if (!change.empty() && !reference) {
      Fail("'{}' is a change of a recorded trajectory; give the trajectory as like", change[0]);
    }
    const auto steerer = self.SteererWith(mode, preset, settings);
    if (reference) reference->values = steerer->Assess(reference->code).predicted;
    const steer::Result result = steerer->Solve(query, reference ? &*reference : nullptr, seed);
    document = steer::ToJson(result, self.model().description);
    document["solve_ms"] = result.solve_ms;
  }
  return ToPython(document);
}

nb::object Assess(const LoadedModel& self, const Floats& code, const std::string& mode,
                  const Texts& settings) {
  const net::ModelDescription& description = self.model().description;
  const steer::Answer answer = self.SteererWith(mode, "default", settings)
                                   ->Assess(CheckArray(code, "code", 1, self.model().code_size()));
  return ToPython({{"code", answer.code},
                   {"predicted", steer::ByName(answer.predicted, description)},
                   {"interval", steer::ByName(answer.interval, description)},
                   {"distance_to_data", answer.distance_to_data}});
}

data::Rows ToRows(std::span<const float> numbers, std::size_t count, int columns) {
  data::Rows rows(static_cast<std::int64_t>(count), columns);
  std::copy_n(numbers.begin(), count * Size(columns), rows.data());
  return rows;
}

nb::object Encode(const LoadedModel& self, const Floats& observations, const Floats& actions,
                  int draws, std::uint64_t seed) {
  const net::Model& model = self.model();
  const std::span<const float> acted = CheckArray(actions, "actions", -1, model.action_size());
  const std::span<const float> seen =
      CheckArray(observations, "observations", -1, model.observation_size());
  const std::size_t steps = actions.shape(0);
  if (observations.shape(0) != steps && observations.shape(0) != steps + 1) {
    Fail("{} observations and {} actions; T actions need T or T + 1 observations",
         observations.shape(0), steps);
  }
  if (steps < Size(model.description.context)) {
    Fail("a trajectory of {} steps; the model encodes at least {}", steps,
         model.description.context);
  }
  if (draws < 1) Fail("draws is {}; it must be at least 1", draws);
  std::vector<float> code;
  {
    const nb::gil_scoped_release release;
    const rollout::Trajectory trajectory{
        .steps = rollout::MakeSteps(ToRows(seen, steps, model.observation_size()),
                                    ToRows(acted, steps, model.action_size())),
        .values = {}};
    code = rollout::EncodeTrajectory(model, trajectory, {.draws = draws, .seed = seed});
  }
  return MakeArray(std::move(code), {Size(model.code_size())});
}

nb::object RollOut(const LoadedModel& self, const Floats& codes, int episodes,
                   const std::string& mode, std::uint64_t seed, int threads, int first_code) {
  const net::Model& model = self.model();
  const std::span<const float> numbers = CheckArray(codes, "codes", -1, model.code_size());
  if (numbers.empty()) Fail("there is no code to roll out");
  if (episodes < 1) Fail("episodes is {}; it must be at least 1", episodes);
  if (threads < 1) Fail("threads is {}; it must be at least 1", threads);
  std::optional<rollout::CodeRun> run;
  RunInterruptibly([&](const std::function<bool()>& should_stop) {
    const sim::Environment environment = rollout::MakeEnvironment(model);
    rollout::CodeRunOptions options;
    options.mode = net::ParseRolloutMode(mode);
    options.episodes = episodes;
    options.first_code = first_code;
    options.job = {.seed = seed, .threads = threads, .quiet = true, .should_stop = should_stop};
    run = rollout::RollOutCodes(environment, model, numbers, options);
  });
  const std::size_t count = Size(run->codes), played = Size(run->episodes);
  return nb::make_tuple(
      MakeArray(std::move(run->values), {count, played, Size(run->objectives)}),
      MakeArray(std::vector<std::int64_t>(run->lengths.begin(), run->lengths.end()),
                {count, played}),
      MakeArray(std::move(run->diverged), {count, played}));
}

nb::bytes ExportOnnx(const LoadedModel& self, const std::optional<Floats>& code) {
  std::span<const float> numbers;
  if (code) numbers = CheckArray(*code, "code", 1, self.model().code_size());
  const std::string file =
      net::ExportOnnx(self.model(), numbers,
                      rollout::OnnxMetadata(self.model(), net::OpenModelArtifact(self.folder())));
  return nb::bytes(file.data(), file.size());
}

// Rows of codes that act, for one policy or for many environments at once.
class Actor {
 public:
  Actor(const LoadedModel& model, int rows, const std::string& mode, std::uint64_t seed)
      : actor_(model.shared(), net::ParseRolloutMode(mode), seed, rows) {}

  void SetCode(int row, const Floats& code, std::int64_t unit, std::int64_t episode) {
    if (row < 0 || row >= actor_.rows())
      Fail("row {}; the rows are 0 to {}", row, actor_.rows() - 1);
    actor_.SetCode(row, {code.data(), code.size()}, unit, episode);
  }

  void BlendTo(int row, const Floats& code, int steps) {
    if (row < 0 || row >= actor_.rows())
      Fail("row {}; the rows are 0 to {}", row, actor_.rows() - 1);
    if (steps < 0 || steps > net::kMaxBlendSteps) {
      Fail("blend_steps is {}; allowed are 0 to {}", steps, net::kMaxBlendSteps);
    }
    if (!actor_.BlendTo(row, {code.data(), code.size()}, steps)) {
      Fail("the code must have {} finite numbers; it has {} numbers", actor_.model().code_size(),
           code.size());
    }
  }

  nb::object Act(const Doubles& observations) {
    const std::size_t rows = Size(actor_.rows());
    const std::size_t inputs = Size(actor_.model().observation_size());
    const std::size_t outputs = Size(actor_.model().action_size());
    const bool single = observations.ndim() == 1 && rows == 1;
    if (observations.size() != rows * inputs || !(single || observations.ndim() == 2)) {
      Fail("observations of {} numbers in {} dimensions; the shape must be [{}, {}]",
           observations.size(), observations.ndim(), rows, inputs);
    }
    std::vector<double> actions(rows * outputs);
    if (!actor_.Act({observations.data(), observations.size()}, actions)) {
      Fail("an observation, or the action it leads to, is not finite");
    }
    return single ? MakeArray(std::move(actions), {outputs})
                  : MakeArray(std::move(actions), {rows, outputs});
  }

 private:
  net::CodeActor actor_;
};

}  // namespace

void BindModel(nb::module_& module) {
  nb::class_<LoadedModel>(module, "Model", "A model folder in memory. Thread-safe.")
      .def(nb::init<const std::string&>(), "name"_a, "Loads a folder, or a zoo entry by name.")
      .def_prop_ro("folder", &LoadedModel::folder)
      .def("describe", &Describe, nb::sig("def describe(self) -> dict[str, typing.Any]"))
      .def(
          "training",
          [](nb::handle self) {
            return Views(nb::cast<const LoadedModel&>(self).model().training, self);
          },
          nb::sig("def training(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                  "numpy.typing.NDArray[numpy.float32]]"),
          "Training codes [N, H] and their labels [N, K], without a copy.")
      .def(
          "rolled_out", &RolledOut, "mode"_a,
          nb::sig("def rolled_out(self, mode: str) -> tuple[numpy.typing.NDArray[numpy.float32], "
                  "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], int]"),
          "Rolled-out codes [N, H], means and deviations of their values [N, K], without a copy, "
          "and the episodes of each.")
      .def("steer", &Steer, "target"_a, "require"_a, "maximise"_a, "minimise"_a, "change"_a,
           "like"_a.none(), "mode"_a, "preset"_a, "settings"_a, "seed"_a,
           nb::sig("def steer(self, target: collections.abc.Sequence[str], require: "
                   "collections.abc.Sequence[str], maximise: collections.abc.Sequence[str], "
                   "minimise: collections.abc.Sequence[str], change: "
                   "collections.abc.Sequence[str], like: numpy.typing.NDArray[numpy.float32] | "
                   "None, mode: str, preset: str, settings: collections.abc.Sequence[str], seed: "
                   "int) -> dict[str, typing.Any]"),
           "Solves a query; the result has the form of `rhumb steer --json`.")
      .def("assess", &Assess, "code"_a, "mode"_a, "settings"_a,
           nb::sig("def assess(self, code: numpy.typing.NDArray[numpy.float32], mode: str, "
                   "settings: collections.abc.Sequence[str]) -> dict[str, typing.Any]"),
           "Predicted values of a code [1, H].")
      .def("encode", &Encode, "observations"_a, "actions"_a, "draws"_a, "seed"_a,
           nb::sig("def encode(self, observations: numpy.typing.NDArray[numpy.float32], actions: "
                   "numpy.typing.NDArray[numpy.float32], draws: int, seed: int) -> "
                   "numpy.typing.NDArray[numpy.float32]"),
           "The code [H] of observations [T or T + 1, O] and actions [T, A].")
      .def("rollout", &RollOut, "codes"_a, "episodes"_a, "mode"_a, "seed"_a, "threads"_a,
           "first_code"_a = 0,
           nb::sig("def rollout(self, codes: numpy.typing.NDArray[numpy.float32], episodes: int, "
                   "mode: str, seed: int, threads: int, first_code: int = 0) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], "
                   "numpy.typing.NDArray[numpy.uint8]]"),
           "Plays codes [N, H]: values [N, E, K], lengths [N, E], diverged [N, E].")
      .def("export_onnx", &ExportOnnx, "code"_a.none(),
           nb::sig("def export_onnx(self, code: numpy.typing.NDArray[numpy.float32] | None) -> "
                   "bytes"),
           "The bytes of an ONNX file; with a code [1, H] it has no input for one.");

  nb::class_<Actor>(module, "Actor", "Rows of codes that act. One thread at a time.")
      .def(nb::init<const LoadedModel&, int, const std::string&, std::uint64_t>(), "model"_a,
           "rows"_a, "mode"_a, "seed"_a)
      .def("set_code", &Actor::SetCode, "row"_a, "code"_a, "unit"_a = 0, "episode"_a = 0,
           nb::sig("def set_code(self, row: int, code: numpy.typing.NDArray[numpy.float32], unit: "
                   "int = 0, episode: int = 0) -> None"),
           "Gives a row its code [H]; sampled actions are keyed (seed, unit, episode, step).")
      .def("blend_to", &Actor::BlendTo, "row"_a, "code"_a, "steps"_a,
           nb::sig("def blend_to(self, row: int, code: numpy.typing.NDArray[numpy.float32], "
                   "steps: int) -> None"),
           "Turns a row to another code [H] within so many actions; 0: at once.")
      .def("act", &Actor::Act, "observations"_a,
           nb::sig("def act(self, observations: numpy.typing.NDArray[numpy.float64]) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "Observations [N, O] to actions [N, A]; [O] to [A] if there is one row.");
}

}  // namespace rhumb::python
