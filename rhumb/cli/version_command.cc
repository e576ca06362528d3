#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/learn_library.h"
#include "rhumb/cli/options.h"
#include "rhumb/core/version.h"

namespace rhumb::cli {
namespace {

void PrintVersions(bool as_json) {
  nlohmann::json document = {{"rhumb", core::kVersion}, {"mujoco", mj_versionString()}};
  std::string training = "not built (a training command through ./run gets it)";
  if (std::filesystem::exists(LearnLibraryPath())) {
    const RhumbLearnInfo& learn = LoadLearnLibrary();
    document["torch"] = learn.torch_version;
    document["torch_cpu_capability"] = learn.cpu_capability;
    training = fmt::format("torch {}, {}", learn.torch_version, learn.cpu_capability);
  }
  if (as_json) {
    fmt::print("{}\n", document.dump(2));
    return;
  }
  fmt::print("rhumb {}\nmujoco {}\ntraining: {}\n", core::kVersion, mj_versionString(), training);
}

}  // namespace

void AddVersionCommand(CLI::App& app) {
  CLI::App* version = app.add_subcommand("version", "what this binary is made of");
  auto options = std::make_shared<CommonOptions>();
  options->AddTo(*version);
  version->callback([options] { PrintVersions(options->json); });
}

}  // namespace rhumb::cli
