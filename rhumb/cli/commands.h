// The commands of the command line. Each function adds one to `app`, with its options and help.
// The source file of the same name implements it.
#pragma once

#include <functional>

namespace rhumb::cli {

class Command;
struct CommandTree;

void AddDatasetCommand(Command& app);
void AddEncodeCommand(Command& app);
void AddEnvsCommand(Command& app);
void AddEvaluateCommand(Command& app);
void AddExportCommand(Command& app);
void AddModelCommand(Command& app);
void AddPlayCommand(Command& app);
void AddPopulationCommand(Command& app);
void AddReproduceCommand(Command& app);
void AddSelfTestCommand(Command& app);
void AddServeCommand(Command& app);
void AddSteerCommand(Command& app);
void AddUnitsCommand(Command& app);
void AddVersionCommand(Command& app);
void AddZooCommand(Command& app);
// `describe` returns all commands, these two included.
void AddCompletionCommand(Command& app, const std::function<CommandTree()>& describe);
void AddHelpCommand(Command& app, const std::function<CommandTree()>& describe);

// Subcommands of `rhumb evaluate`, in cli/evaluate/.
void AddBetween(Command& evaluate);
void AddFront(Command& evaluate);
void AddMapMeasures(Command& evaluate);
void AddPaths(Command& evaluate);
void AddSwitch(Command& evaluate);
void AddSynthesis(Command& evaluate);

}  // namespace rhumb::cli
