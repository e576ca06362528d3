// The report of a reproduction: what every stage gave in one document, and the same for people.
//
//   stages with their stamps and outputs -> MakeReport -> report.json
//                                                      -> FormatReport -> report.html
//                                                      -> FormatCommands -> commands.sh
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/pipeline/stage.h"
#include "rhumb/report/figure.h"

namespace rhumb::report {

// `run` ({"environment", "rewards", "scale", "seed", …}) together with "wall_seconds", of all
// stages, and "stages", each {"output", "command", "wall_seconds", "result"}. A result is the
// document without what is long in it: the rows of single episodes and tasks, the points of maps
// and paths; of an artefact, what its manifest says of it, without lists of files and policies, and
// a model's architecture, objectives and metrics. All stages are done; what is damaged is an Error.
nlohmann::json MakeReport(const nlohmann::json& run, const std::vector<pipeline::Stage>& stages,
                          const std::filesystem::path& folder);

// One HTML page in the order of the paper: the figures that are drawn, and tables, for HalfCheetah
// with the paper's numbers beside. Where ours are worse than the paper's, a rival's or a lookup's,
// a sentence says so. A number that the report does not have is a dash.
std::string FormatReport(const nlohmann::json& report, const std::vector<FigureFile>& figures);

// A shell script that does it all by hand, in the folder where it lies.
std::string FormatCommands(const nlohmann::json& report);

}  // namespace rhumb::report
