// Finds and loads librhumb_learn and runs its commands; the counterpart of rhumb/learn/library.h.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rhumb/learn/device/device.h"
#include "rhumb/learn/library.h"

namespace rhumb::cli {

class Command;

// Path of the built librhumb_learn: ../lib, relative to the running binary.
std::filesystem::path LearnLibraryPath();

// Loads the library for the rest of the process and returns its description of itself. Throws
// Error if it is not built, cannot be loaded, or has another interface version. May be called
// repeatedly and from any thread.
const RhumbLearnInfo& LoadLearnLibrary(const std::filesystem::path& path = LearnLibraryPath());

// Runs one library command; `request` is core::ToJson of its request. Ctrl-C asks it to save and
// stop. Throws CommandFailed with the library's code and message unless the job finishes.
void RunLearnCommand(const std::string& command, const nlohmann::json& request);

// Adds --device.
void AddDevice(Command& command, learn::device::Device& device);

}  // namespace rhumb::cli
