// The report of a reproduction: the results of all stages in one document.
//
//   stages with their stamps and outputs -> MakeReport -> report.json
//                                                      -> FormatCommands -> commands.sh
//                                                      -> page.h -> report.html
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/pipeline/stage.h"

namespace rhumb::report {

constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{1} << 30;  // of a measure or a report

// Returns `run` ({"environment", "rewards", "scale", "seed", …}) plus "wall_seconds", over all
// stages, and "stages". Each stage is {"output", "command", "wall_seconds", "result"}. A result is
// the stage's document without its long parts: rows of episodes and tasks, points of maps and
// paths. An artefact's result is its manifest without lists of files and policies. A model adds
// architecture, objectives and metrics. All stages must be done; throws Error if one is damaged.
nlohmann::json MakeReport(const nlohmann::json& run, const std::vector<pipeline::Stage>& stages,
                          const std::filesystem::path& folder);

// Returns the measure of an output: "probe" for "measures/probe/ours.json", "x" for
// "measures/x.json", "" for other outputs.
std::string MeasureOf(const std::string& output);

// Returns the shell command of each stage, in order.
std::vector<std::string> CommandLines(const nlohmann::json& report);

// Returns a shell script that repeats all stages in the script's own folder.
std::string FormatCommands(const nlohmann::json& report);

}  // namespace rhumb::report
