#include "rhumb/pipeline/reproduce_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "rhumb/core/text.h"

namespace rhumb::pipeline {
namespace {

using Words = std::vector<std::string>;

const Words kModes = {"sampled", "mean"};
const Words kSplits = {"train", "held_out_checkpoint", "held_out_weight"};

// Methods per kind of model. Baselines are steered with our method and the paper's, using their own
// label heads. They get no lookup: it measures rollouts, not the map. Two methods play no steered
// code: imitate the decoder's imitation of the task's policy, teacher that policy itself.
constexpr const char* kGroundedMethods =
    "default,paper,naive,still,lookup,nearest_label,imitate,teacher";
constexpr const char* kLabelMethods = "default,paper,naive";
constexpr const char* kRivalMethods = "default,paper";
// For the tasks on which steering must beat lookup, and standing still on the map.
constexpr const char* kContestMethods = "default,still,lookup,naive,teacher";

constexpr const char* kPopulation = "population";
constexpr const char* kDataset = "dataset-v0";
constexpr const char* kHoleDataset = "dataset-hole-v0";
constexpr const char* kHole = "split.hole=0.1";

Words Join(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Threads per stage. With a GPU, stages often wait for it, so each gets twice its fair share. On a
// CPU, more threads than cores would wait for each other, and training threads spin while waiting.
int ShareOfThreads(const ReproduceRequest& request) {
  const int shares = request.device == "cpu" ? 1 : 2;
  return std::clamp(shares * request.threads / request.jobs, 1, request.threads);
}

class Planner {
 public:
  explicit Planner(const ReproduceRequest& request)
      : request_(request),
        scale_(Scales()[core::FindNamed(Scales(), request.scale,
                                        fmt::format("unknown scale '{}'", request.scale))]),
        attributes_(request.attributes),
        all_threads_{"--threads", std::to_string(request.threads)},
        threads_{"--threads", std::to_string(ShareOfThreads(request))},
        device_{"--device", request.device} {}

  std::vector<Stage> Make() {
    AddData();
    // Stages on the longest path come first, since earlier stages start earlier.
    AddModel("ours", {}, kDataset);
    const std::string attributed = AddAttributes("ours");
    AddGrounding(attributed, "ours.grounded");
    AddDataset(kHoleDataset, Join(scale_.dataset, {kHole}), threads_);
    AddModel("hole", {}, kHoleDataset);
    AddGrounding("hole", "hole.grounded");
    for (const std::string& rival : scale_.steered_rivals) {
      AddModel(rival, {"--variant", rival}, kDataset);
    }
    AddModel("paper", {"--preset", "paper"}, kDataset);
    std::vector<std::string> names = Join({"ours"}, scale_.steered_rivals);
    names.push_back("paper");
    // The probe measures only the encoder, which DAgger does not change.
    const auto add_encoder = [&](const std::string& variant, int seed) {
      names.push_back(seed == 0 ? variant : fmt::format("{}-{}", variant, seed + 1));
      const Words choice = variant == "ours" ? Words{} : Words{"--variant", variant};
      AddModel(names.back(), choice, kDataset, {"dagger.rounds=0"}, seed);
    };
    for (const std::string& rival : scale_.probed_rivals) add_encoder(rival, 0);
    for (int seed = 1; seed < scale_.seeds; ++seed) {
      add_encoder("ours", seed);
      for (const std::string& rival : Join({"vae"}, scale_.probed_rivals)) add_encoder(rival, seed);
    }
    AddMeasures(names);
    return std::move(stages_);
  }

 private:
  // Adds a stage and appends --seed and --set to its words. `seed` counts from the run's.
  void Add(Stage stage, const Words& settings, int seed = 0) {
    Words& words = stage.words;
    const std::uint64_t own = request_.seed + static_cast<std::uint64_t>(seed);
    words.insert(words.end(), {"--seed", std::to_string(own)});
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    stages_.push_back(std::move(stage));
  }

  // Population and dataset run alone and use all threads.
  void AddData() {
    // The robot is named here; every later stage inherits it.
    const Words words = {"population", "train",          "--env", request_.spec,
                         "--rewards",  request_.rewards, "--out", kPopulation};
    Add({kPopulation, words, Join(all_threads_, device_), request_.files},
        Join(scale_.population, request_.population));
    AddDataset(kDataset, scale_.dataset, all_threads_);
  }

  void AddDataset(const std::string& out, const Words& settings, const Words& threads) {
    Add({out, {"dataset", "collect", kPopulation, "--out", out}, threads, {kPopulation}}, settings);
  }

  void AddModel(const std::string& name, const Words& choice, const std::string& dataset,
                const Words& settings = {}, int seed = 0) {
    const std::string out = "models/" + name;
    const Words words = {"model",        "train",     "--data", dataset,
                         "--population", kPopulation, "--out",  out};
    Add({out, Join(words, choice), Join(threads_, device_), {dataset, kPopulation}},
        Join(scale_.model, settings), seed);
  }

  // Adds all attributes at once. Returns the name of the model that has them.
  std::string AddAttributes(const std::string& name) {
    if (attributes_.empty()) return name;
    const std::string from = "models/" + name, to = name + ".attributes";
    Words words = {"model", "add-attribute", from, "--data", kDataset, "--out", "models/" + to};
    for (const sim::AttributeSpec& attribute : attributes_) {
      words = Join(words, {"--name", attribute.name, "--expression", attribute.expression, "--unit",
                           attribute.unit});
    }
    Add({"models/" + to, words, threads_, {from, kDataset}}, {});
    return to;
  }

  void AddGrounding(const std::string& from, const std::string& to) {
    const std::string model = "models/" + from, out = "models/" + to;
    Add({out, {"model", "ground", model, "--out", out}, threads_, {model}}, scale_.grounding);
  }

  // Adds the stage that writes measures/`output`.json with `rhumb evaluate MEASURE`.
  void Measure(const std::string& output, const std::string& measure, const std::string& name,
               const Words& choice, const Words& settings, const std::string& dataset = kDataset) {
    const std::string model = "models/" + name;
    const Words words = {"evaluate", measure, model, "--data", dataset, "--json"};
    Add({fmt::format("measures/{}.json", output), Join(words, choice), threads_, {model, dataset}},
        settings);
  }

  // Tasks with `count` requirements over `over`; 0: all.
  void Synthesise(const std::string& output, const std::string& name, const std::string& mode,
                  const char* methods, const Words& over, std::size_t count, const Words& more = {},
                  const std::string& dataset = kDataset) {
    Words settings = scale_.synthesis;
    if (!over.empty()) settings.push_back(fmt::format("tasks.over={}", fmt::join(over, ",")));
    if (count > 0) settings.push_back(fmt::format("tasks.requirements={}", count));
    Measure(output, "synthesis", name, {"--mode", mode, "--method", methods}, Join(settings, more),
            dataset);
    if (std::string_view(methods).find("teacher") == std::string_view::npos) return;
    Stage& stage = stages_.back();
    stage.words = Join(stage.words, {"--population", kPopulation});
    stage.inputs.emplace_back(kPopulation);
  }

  // Measures of the grounded map as a whole: it makes its own tasks.
  void MeasureMap(const std::string& measure, const std::string& mode, const Words& settings,
                  bool plays_policies = false) {
    const std::string model = "models/ours.grounded";
    Words words = {"evaluate", measure, model, "--json", "--mode", mode}, inputs = {model};
    if (plays_policies) {
      words = Join(words, {"--population", kPopulation});
      inputs.emplace_back(kPopulation);
    }
    Add({fmt::format("measures/{}/{}.json", measure, mode), words, threads_, inputs}, settings);
  }

  void AddMeasures(const std::vector<std::string>& names) {
    for (const std::string& mode : kModes) {
      AddSyntheses(mode);
      if (!scale_.measures_map) continue;
      MeasureMap("between", mode, {"methods=default,still,tries"});
      MeasureMap("front", mode, {}, /*plays_policies=*/true);
      MeasureMap("switch", mode, {});
    }
    for (const std::string& split : kSplits) {
      for (const std::string& mode : kModes) {
        Measure(fmt::format("imitation/{}-{}", split, mode), "imitation", "ours",
                {"--split", split, "--mode", mode}, scale_.imitation);
      }
    }
    Measure("geometry/ours", "geometry", "ours", {}, scale_.geometry);
    Measure("geometry/vae", "geometry", "vae", {}, scale_.geometry);
    Add({"measures/paths/ours.json",
         {"evaluate", "paths", "models/ours.grounded", "--json"},
         threads_,
         {"models/ours.grounded"}},
        scale_.paths);
    for (const std::string& name : names) Measure("probe/" + name, "probe", name, {}, {});
    for (const std::string& name : names) {
      Measure("ordering/" + name, "ordering", name, {}, scale_.ordering);
    }
    Measure("context/ours", "context", "ours", {}, scale_.context);
    Add({"measures/control-functional.json",
         {"evaluate", "control-functional", "--json"},
         threads_,
         {}},
        scale_.control_functional);
  }

  void AddSyntheses(const std::string& mode) {
    // Table 2: the first objective is the target, the others are required. The grounded model's
    // attributes are excluded, so that all models have the same tasks.
    const Words required(request_.objectives.begin() + 1, request_.objectives.end());
    const auto table = [&](const std::string& name, const std::string& model, const char* methods) {
      Synthesise(fmt::format("synthesis/{}-{}", name, mode), model, mode, methods, required, 0);
    };
    table("ours", "ours.grounded", kGroundedMethods);
    table("ours.labels", "ours", kLabelMethods);
    for (const std::string& rival : scale_.steered_rivals) table(rival, rival, kRivalMethods);
    table("paper", "paper", kRivalMethods);

    // The attributes were measured on sampled actions. Mean actions cannot reach all of these
    // values, which would say nothing about steering.
    const Words attributes = mode == kModes.front() ? core::NamesOf(attributes_) : Words();
    for (std::size_t n = 1; n <= attributes.size(); ++n) {
      Synthesise(fmt::format("constraints/{}-{}", n, mode), "ours.grounded", mode, kContestMethods,
                 attributes, n);
    }
    Synthesise("hole/" + mode, "hole.grounded", mode, kContestMethods, required, 0,
               {"tasks.split=hole"}, kHoleDataset);
  }

  const ReproduceRequest& request_;
  const Scale& scale_;
  const std::vector<sim::AttributeSpec>& attributes_;
  const Words all_threads_, threads_, device_;  // words for Stage::machine_words
  std::vector<Stage> stages_;
};

}  // namespace

const std::vector<Scale>& Scales() {
  static const std::vector<Scale> kScales = {
      // The defaults of every command, except that the sawtooth takes each policy once.
      {.name = "full", .seeds = 3, .imitation = {"episodes=500"}, .measures_map = true},
      // Takes minutes on a CPU for any robot. Robots often fall after such short training, so
      // unstable policies are kept.
      {.name = "small",
       .population = {"weights=auto", "count=5", "children=0", "child_list=[]", "iterations=60",
                      "keep_every=5", "ppo.steps=256", "ppo.hidden=64,64"},
       .dataset = {"selection.skip_iterations=10", "selection.every=5",
                   "selection.stationary_fraction=0", "selection.keep_unstable=true",
                   "steps_per_policy=2000"},
       .model = {"epochs=60", "batch=32", "queries=32", "hidden=64", "dagger.steps=150",
                 "dagger.episodes=1"},
       .grounding = {"codes=200", "episodes=2"},
       .imitation = {"episodes=40"},
       .synthesis = {"tasks.count=20"},
       .geometry = {"contexts=500"},
       .paths = {"points=10"},
       .ordering = {"triples=20000"},
       .control_functional = {"repeats=50"}},
      // Takes a minute or two on two cores for the point mass. It runs every stage, with poor
      // results.
      {.name = "smoke",
       .population = {"weights=auto", "count=6", "children=0", "child_list=[]", "iterations=24",
                      "keep_every=2", "ppo.steps=100", "ppo.hidden=32,32",
                      "ppo.learning_rate=1e-3"},
       .dataset = {"selection.skip_iterations=4", "selection.every=2",
                   "selection.stationary_fraction=0", "selection.keep_unstable=true",
                   "steps_per_policy=400"},
       .model = {"epochs=30", "queries=32", "hidden=64", "dagger.steps=40", "dagger.episodes=1"},
       .grounding = {"codes=150", "episodes=2"},
       .imitation = {"episodes=40", "rollouts=1"},
       .synthesis = {"tasks.count=10", "rollouts=2"},
       .geometry = {"contexts=300"},
       .paths = {"points=5", "rollouts=2"},
       .ordering = {"triples=5000"},
       .context = {"draws=2", "train_draws=2"},
       .control_functional = {"repeats=20"}},
  };
  return kScales;
}

std::vector<sim::AttributeSpec> AttributesOf(const sim::EnvironmentSpec& spec) {
  if (!spec.attributes.empty()) return spec.attributes;
  constexpr const char* kControlSum = "sum of the controls' magnitudes";
  return {{"action_rate", "mean(action_rate)", "squared change per step"},
          {"peak_effort", "max(sum_abs_action)", kControlSum},
          {"effort_std", "std(sum_abs_action)", kControlSum}};
}

std::vector<Stage> MakePlan(const ReproduceRequest& request) { return Planner(request).Make(); }

}  // namespace rhumb::pipeline
