#include "rhumb/cli/population_command.h"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "rhumb/cli/exit_code.h"
#include "rhumb/cli/learn_library.h"
#include "rhumb/cli/options.h"
#include "rhumb/core/error.h"
#include "rhumb/learn/population_config.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

// Set by the first Ctrl-C; the second one ends the process as usual.
volatile std::sig_atomic_t stop_asked = 0;

void AskToStop(int signal) {
  stop_asked = 1;
  std::signal(signal, SIG_DFL);
}

struct TrainRequest {
  std::string environment;
  std::string rewards;
  std::string out;
  std::string device = "cpu";
  std::vector<int> agents;
};

void Train(const CommonOptions& options, const TrainRequest& request) {
  // Mistakes in the settings show before the training library is loaded.
  options.Resolve<learn::PopulationConfig>();
  const auto run = LoadLearnLibrary().run;
  std::signal(SIGINT, AskToStop);
  std::signal(SIGTERM, AskToStop);
  const json job = {{"command", "population train"},
                    {"environment", request.environment},
                    {"rewards", request.rewards},
                    {"out", request.out},
                    {"device", request.device},
                    {"threads", options.threads},
                    {"seed", options.seed},
                    {"agents", request.agents},
                    {"quiet", false},
                    {"config_file", options.config_file},
                    {"settings", options.settings}};
  char message[4096];
  const int code = run(
      job.dump().c_str(), [] { return static_cast<int>(stop_asked); }, message, sizeof message);
  if (code != kDone) throw CommandFailed{code, message};
  if (options.json) {
    fmt::print("{}\n", json{{"population", request.out}}.dump(2));
  } else {
    fmt::print("population: {}\n", request.out);
  }
}

}  // namespace

void AddPopulationCommand(CLI::App& app) {
  CLI::App* population = app.add_subcommand("population", "policies for many weights: train");
  population->require_subcommand(1);
  CLI::App* train =
      population->add_subcommand("train", "one PPO agent per weight vector; resumes by itself");
  auto options = std::make_shared<CommonOptions>();
  auto request = std::make_shared<TrainRequest>();
  options->AddTo(*train);
  train
      ->add_option("--env", request->environment,
                   "an id of `rhumb envs list`, or a spec, FILE.toml")
      ->required();
  train->add_option("--rewards", request->rewards, "reward preset; default: the environment's");
  train->add_option("--out", request->out, "folder of the population; OUT.work while it is trained")
      ->required();
  train->add_option("--device", request->device, "where the networks learn")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  train->add_option("--agents", request->agents, "train only these agents, by number; default: all")
      ->delimiter(',');
  DescribeSettings(
      *train, core::Describe(learn::PopulationConfig{}),
      "  rhumb population train --env mo-halfcheetah-v5 --out cheetah.population\n"
      "  rhumb population train --env point-v0 --out point --set iterations=20 --set count=4\n"
      "The same command goes on where an interrupted one stopped (Ctrl-C saves first). Watch it "
      "with\n"
      "`tensorboard --logdir OUT.work/tensorboard`.\n");
  train->callback([options, request] { Train(*options, *request); });
}

}  // namespace rhumb::cli
