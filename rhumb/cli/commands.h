// The commands of the command line. Each function adds one to `app`, with its options and help.
// The source file of the same name implements it.
#pragma once

namespace CLI {
class App;
}

namespace rhumb::cli {

void AddDatasetCommand(CLI::App& app);
void AddEncodeCommand(CLI::App& app);
void AddEnvsCommand(CLI::App& app);
void AddEvaluateCommand(CLI::App& app);
void AddModelCommand(CLI::App& app);
void AddPlayCommand(CLI::App& app);
void AddPopulationCommand(CLI::App& app);
void AddReproduceCommand(CLI::App& app);
void AddSelfTestCommand(CLI::App& app);
void AddSteerCommand(CLI::App& app);
void AddVersionCommand(CLI::App& app);
void AddZooCommand(CLI::App& app);

// Subcommands of `rhumb evaluate`, in cli/evaluate/.
void AddMapMeasures(CLI::App& evaluate);
void AddPaths(CLI::App& evaluate);
void AddSynthesis(CLI::App& evaluate);

}  // namespace rhumb::cli
