// Stages in the order of what they need, several beside each other.
//
//   Stages -> those whose inputs are there, in their order -> up to date: skipped; else a thread
//             that runs it -> the next ones
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/pipeline/stage.h"

namespace rhumb::pipeline {

// Runs what is not up to date, at most `jobs` stages at a time; a stage waits for those that make
// its inputs, which stand before it. Gives the outputs of those that ran, in the order in which
// they ended. Where one fails or an interrupt comes, no other begins, those that run come to their
// end (an interrupt is handed on to all of them), and the failure is thrown as RunStage throws it.
std::vector<std::string> RunStages(const std::vector<Stage>& stages,
                                   const std::filesystem::path& folder,
                                   const std::filesystem::path& program, int jobs);

}  // namespace rhumb::pipeline
