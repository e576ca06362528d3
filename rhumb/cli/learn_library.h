// The binary's side of rhumb/learn/library.h: finds and loads librhumb_learn, and gives it work.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rhumb/learn/device/device.h"
#include "rhumb/learn/library.h"

namespace rhumb::cli {

// Where librhumb_learn stands once it is built: in ../lib, seen from the running binary.
std::filesystem::path LearnLibraryPath();

// Loads the library for the rest of the process and returns what it says of itself. Throws Error
// when it is not built, cannot be loaded, or was built for another version of the seam. Safe to
// call again and from any thread.
const RhumbLearnInfo& LoadLearnLibrary(const std::filesystem::path& path = LearnLibraryPath());

// Runs one command of the library; `request` is core::ToJson of its request. Ctrl-C asks it to save
// and stop. An end other than a finished job is a CommandFailed with the library's code and
// sentence.
void RunLearnCommand(const std::string& command, const nlohmann::json& request);

// --device
void AddDevice(CLI::App& command, learn::device::Device& device);

}  // namespace rhumb::cli
