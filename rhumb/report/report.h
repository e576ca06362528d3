// The report of a reproduction: the results of all stages in one document.
//
//   stages with their stamps and outputs -> MakeReport -> report.json
//                                                      -> FormatCommands -> commands.sh
//                                                      -> page.h -> report.html
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/pipeline/stage.h"

namespace rhumb::report {

// `run` ({"environment", "rewards", "scale", "seed", …}) together with "wall_seconds", of all
// stages, and "stages", each {"output", "command", "wall_seconds", "result"}. A result is the
// document without its long parts: the rows of single episodes and tasks, the points of maps and
// paths. The result of an artefact is its manifest without lists of files and policies; a model
// adds architecture, objectives and metrics. All stages must be done; damaged ones are an Error.
nlohmann::json MakeReport(const nlohmann::json& run, const std::vector<pipeline::Stage>& stages,
                          const std::filesystem::path& folder);

// The measure that an output belongs to: "probe" for "measures/probe/ours.json", "x" for
// "measures/x.json", "" for other outputs.
std::string MeasureOf(const std::string& output);

// The shell command of each stage, in order.
std::vector<std::string> CommandLines(const nlohmann::json& report);

// A shell script that repeats all stages, in the folder where it lies.
std::string FormatCommands(const nlohmann::json& report);

}  // namespace rhumb::report
