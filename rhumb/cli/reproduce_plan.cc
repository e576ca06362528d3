#include "rhumb/cli/reproduce_plan.h"

#include <algorithm>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::cli {
namespace {

using Words = std::vector<std::string>;

const Words kModes = {"sampled", "mean"};
const Words kSplits = {"train", "held_out_checkpoint", "held_out_weight"};

// Rivals are steered as we steer, and as the paper does, by their own label heads: a lookup in
// roll-outs is no property of a map.
const char* const kOurMethods = "default,paper,naive,lookup,nearest_label";
const char* const kRivalMethods = "default,paper";
const char* const kRollouts = "4";

constexpr const char* kPopulation = "population";
constexpr const char* kDataset = "dataset-v0";

const Scale& FindScale(const std::string& name) {
  std::vector<std::string> known;
  for (const Scale& scale : Scales()) {
    if (scale.name == name) return scale;
    known.push_back(scale.name);
  }
  Fail("--scale '{}' is unknown{}", name, core::Suggestion(name, known));
}

// Commands that simulate look for a robot of the user's own.
bool Simulates(const Words& words) {
  return words[0] != "evaluate" || words[1] == "imitation" || words[1] == "synthesis";
}

class Planner {
 public:
  explicit Planner(const ReproduceRequest& request)
      : request_(request),
        scale_(FindScale(request.scale)),
        threads_{"--threads", std::to_string(request.threads)},
        training_{"--threads", std::to_string(request.threads), "--device", request.device},
        has_own_spec_(request.environment.ends_with(".toml")) {}

  std::vector<Stage> Make() {
    AddData();
    for (int i = 0; i < scale_.seeds; ++i) {
      AddModel(i == 0 ? "ours" : "ours-" + std::to_string(i + 1), {},
               request_.seed + static_cast<std::uint64_t>(i));
    }
    for (const std::string& rival : scale_.rivals) {
      AddModel(rival, {"--variant", rival}, request_.seed);
    }
    AddModel("paper", {"--preset", "paper"}, request_.seed);
    Add({"models/ours.grounded",
         {"model", "ground", "models/ours", "--data", kDataset, "--out", "models/ours.grounded"},
         training_,
         {"models/ours", kDataset}},
        scale_.grounding, request_.seed);
    AddMeasures();
    return std::move(stages_);
  }

 private:
  // A stage whose words lack what all have: --env, --seed and --set.
  void Add(Stage stage, const Words& settings, std::uint64_t seed) {
    Words& words = stage.words;
    if (has_own_spec_ && Simulates(words)) {
      words.insert(words.end(), {"--env", request_.environment});
      stage.inputs.push_back(request_.environment);
    }
    words.insert(words.end(), {"--seed", std::to_string(seed)});
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    stages_.push_back(std::move(stage));
  }

  void AddData() {
    Words words = {"population", "train", "--out", kPopulation};
    if (!has_own_spec_) words.insert(words.end(), {"--env", request_.environment});
    if (!request_.rewards.empty()) words.insert(words.end(), {"--rewards", request_.rewards});
    Add({kPopulation, words, training_, {}}, scale_.population, request_.seed);
    Add({kDataset, {"dataset", "collect", kPopulation, "--out", kDataset}, threads_, {kPopulation}},
        scale_.dataset, request_.seed);
  }

  void AddModel(const std::string& name, const Words& choice, std::uint64_t seed) {
    const std::string out = "models/" + name;
    Words words = {"model", "train", "--data", kDataset, "--population", kPopulation, "--out", out};
    words.insert(words.end(), choice.begin(), choice.end());
    Add({out, words, training_, {kDataset, kPopulation}}, scale_.model, seed);
    names_.push_back(name);
  }

  // The document measures/MEASURE/NAME.json of a model.
  void Measure(const std::string& measure, const std::string& name, const std::string& model,
               const Words& choice, const Words& settings) {
    Words words = {"evaluate", measure, "models/" + model, "--data", kDataset, "--json"};
    words.insert(words.end(), choice.begin(), choice.end());
    Add({"measures/" + measure + "/" + name + ".json",
         words,
         threads_,
         {"models/" + model, kDataset}},
        settings, request_.seed);
  }

  void AddMeasures() {
    for (const std::string& name : names_) Measure("probe", name, name, {}, {});
    for (const std::string& split : kSplits) {
      for (const std::string& mode : kModes) {
        Measure("imitation", split + "-" + mode, "ours", {"--split", split, "--mode", mode},
                scale_.imitation);
      }
    }
    AddSynthesis("ours", "ours.grounded", kOurMethods);
    for (const std::string& rival : scale_.rivals) AddSynthesis(rival, rival, kRivalMethods);
    AddSynthesis("paper", "paper", kRivalMethods);
    for (const std::string& name : names_) Measure("ordering", name, name, {}, {});
    Measure("context", "ours", "ours", {}, {});
    Add({"measures/control-functional.json",
         {"evaluate", "control-functional", "--json"},
         threads_,
         {}},
        {}, request_.seed);
  }

  void AddSynthesis(const std::string& name, const std::string& model, const char* methods) {
    for (const std::string& mode : kModes) {
      Measure("synthesis", name + "-" + mode, model,
              {"--mode", mode, "--method", methods, "--rollouts", kRollouts}, scale_.synthesis);
    }
  }

  const ReproduceRequest& request_;
  const Scale& scale_;
  const Words threads_, training_;  // machine words
  const bool has_own_spec_;
  std::vector<std::string> names_;  // of the models
  std::vector<Stage> stages_;
};

}  // namespace

const std::vector<Scale>& Scales() {
  static const std::vector<Scale> kScales = {
      // Every command's defaults.
      {.name = "full",
       .seeds = 3,
       .rivals = {"vae", "mean_pool", "free_projections", "infonce", "autoencoder"},
       .population = {},
       .dataset = {},
       .model = {},
       .grounding = {},
       .imitation = {},
       .synthesis = {}},
      // Minutes on a CPU, whatever the robot; so short a training falls often, and all policies
      // count.
      {.name = "small",
       .seeds = 1,
       .rivals = {"vae", "mean_pool", "free_projections"},
       .population = {"count=5", "iterations=60", "ppo.steps=256", "ppo.hidden=64,64"},
       .dataset = {"selection.skip_iterations=10", "selection.stationary_fraction=0",
                   "selection.keep_unstable=true", "steps_per_policy=2000"},
       .model = {"epochs=60", "batch=32", "queries=32", "hidden=64", "dagger.steps=150",
                 "dagger.episodes=1"},
       .grounding = {"codes=200", "episodes=2", "heads.steps=300"},
       .imitation = {"episodes=20"},
       .synthesis = {"tasks.count=20"}},
      // A minute or two on two cores for the point mass: every stage, none of them good.
      {.name = "smoke",
       .seeds = 1,
       .rivals = {"vae", "mean_pool", "free_projections"},
       .population = {"count=6", "iterations=24", "keep_every=2", "ppo.steps=100",
                      "ppo.hidden=32,32", "ppo.learning_rate=1e-3"},
       .dataset = {"selection.skip_iterations=4", "selection.every=2",
                   "selection.stationary_fraction=0", "selection.keep_unstable=true",
                   "steps_per_policy=400"},
       .model = {"epochs=40", "queries=32", "hidden=64", "dagger.steps=50", "dagger.episodes=1"},
       .grounding = {"codes=200", "episodes=2", "heads.steps=300"},
       .imitation = {"episodes=20"},
       .synthesis = {"tasks.count=20"}},
  };
  return kScales;
}

std::vector<Stage> MakePlan(const ReproduceRequest& request,
                            const std::set<std::string>& measures) {
  std::vector<Stage> stages = Planner(request).Make();
  std::erase_if(stages, [&](const Stage& stage) {
    return stage.words[0] == "evaluate" && !measures.contains(stage.words[1]);
  });
  return stages;
}

}  // namespace rhumb::cli
