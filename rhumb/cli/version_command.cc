#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/learn_library.h"
#include "rhumb/cli/options.h"
#include "rhumb/core/version.h"

namespace rhumb::cli {
namespace {

void PrintVersions(const CommonOptions& options) {
  nlohmann::json document = {{"rhumb", core::kVersion}, {"mujoco", mj_versionString()}};
  std::string training = "not built (run tools/setup learn)";
  if (std::filesystem::exists(LearnLibraryPath())) {
    const RhumbLearnInfo& learn = LoadLearnLibrary();
    document["torch"] = learn.torch_version;
    document["torch_cpu_capability"] = learn.cpu_capability;
    training = fmt::format("torch {}, {}", learn.torch_version, learn.cpu_capability);
  }
  if (options.json) return PrintJson(document);
  fmt::print("rhumb {}\nmujoco {}\ntraining: {}\n", core::kVersion, mj_versionString(), training);
}

}  // namespace

void AddVersionCommand(Command& app) {
  AddCommand(app, {"version", "versions of rhumb, MuJoCo and torch", ""}, PrintVersions);
}

}  // namespace rhumb::cli
