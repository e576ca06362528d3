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

#include "rhumb/cli/stage.h"

namespace rhumb::cli {

// `run` ({"environment", "rewards", "scale", "seed"}) together with "wall_seconds", of all stages,
// and "stages", each {"output", "command", "wall_seconds", "result"} and, of `rhumb evaluate`,
// "measure". A result is the document, of imitation and synthesis without the "rows" in it; of an
// artefact, what its manifest says of it, without its files, and a model's metrics. All stages are
// done; what is damaged is an Error.
nlohmann::json MakeReport(const nlohmann::json& run, const std::vector<Stage>& stages,
                          const std::filesystem::path& folder);

// One HTML page that needs nothing else: tables, for HalfCheetah with the paper's numbers beside. A
// number that the report does not have is a dash.
std::string FormatReport(const nlohmann::json& report);

// A shell script that does it all by hand, in the folder where it lies.
std::string FormatCommands(const nlohmann::json& report);

}  // namespace rhumb::cli
