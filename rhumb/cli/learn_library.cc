#include "rhumb/cli/learn_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "rhumb/cli/command.h"
#include "rhumb/core/error.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"

namespace rhumb::cli {
namespace {

// Torch's threads wait for each other hundreds of times in a training step. With OpenMP's default
// spinning they all stall as soon as another process wants a core. OpenMP reads the variable when
// it is loaded, which muParser does before main; so the program starts itself again with it.
void StartWithoutSpinning() {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  core::HoldInterrupts();
  if (!error && !words.empty() && !core::WasInterrupted()) {
    setenv("GOMP_SPINCOUNT", "1000", /*overwrite=*/0);
    execv(program.c_str(), arguments.data());
  }
  // Without it, training is only slower on a busy machine.
  core::CatchInterrupts();
}

}  // namespace

std::filesystem::path LearnLibraryPath() {
  return core::InstallationFolder() / "lib" / "librhumb_learn.so";
}

const RhumbLearnInfo& LoadLearnLibrary(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    Fail(
        "the training library {} is not built; run tools/setup learn, or the command through ./run",
        path.string());
  }
  // Torch's threads and registries do not survive unloading, so the library stays loaded.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    Fail("cannot load the training library ({}); run tools/setup learn to build it again",
         dlerror());
  }
  const auto info =
      reinterpret_cast<decltype(&DescribeRhumbLearn)>(dlsym(library, "DescribeRhumbLearn"));
  if (info == nullptr || info()->abi != kRhumbLearnAbi) {
    Fail("{} was built for another version of rhumb; run tools/setup learn to build it again",
         path.string());
  }
  return *info();
}

void RunLearnCommand(const std::string& command, const nlohmann::json& request) {
  // Loading takes a while. An interrupt during it must not kill a command that promises to save.
  core::CatchInterrupts();
  StartWithoutSpinning();
  const auto run = LoadLearnLibrary().run;
  char message[4096];
  const int code = run(
      command.c_str(), request.dump().c_str(),
      [] { return static_cast<int>(core::WasInterrupted()); }, message, sizeof message);
  if (code != core::kSuccess) throw core::CommandFailed{code, message};
}

void AddDevice(Command& command, learn::device::Device& device) {
  const core::Names<learn::device::Device>& names = learn::device::kDeviceNames;
  command.AddChoice(
      "--device", names.words(), names.NameOf(device),
      [&](const std::string& word) { device = names.Parse(word); },
      "device that trains the networks");
}

}  // namespace rhumb::cli
