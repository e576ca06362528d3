// Runs stages in the order of their dependencies, several in parallel.
//
//   Stages -> those whose inputs are there, in their order -> up to date: skipped; else run in a
//             new thread -> the next ones
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/pipeline/stage.h"

namespace rhumb::pipeline {

// Runs the stages that are not up to date, at most `jobs` at a time. A stage waits for the earlier
// stages that make its inputs. Returns the outputs of the stages that ran, in the order in which
// they ended. After a failure or an interrupt, no further stage starts and running stages finish;
// an interrupt is forwarded to all of them. Then throws like RunStage.
std::vector<std::string> RunStages(const std::vector<Stage>& stages,
                                   const std::filesystem::path& folder,
                                   const std::filesystem::path& program, int jobs);

}  // namespace rhumb::pipeline
