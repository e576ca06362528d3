#include "rhumb/learn/library.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <stdlib.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/core/process/config.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/log.h"
#include "rhumb/learn/ppo/population.h"
#include "rhumb/learn/representation/model_training.h"

namespace rhumb::learn {
namespace {

// Asks the loaded library instead of using the version in the headers. The three highest bytes are
// major, minor and patch.
std::string LoadedTorchVersion() {
  const std::uint64_t abi = aoti_torch_abi_version();
  return std::to_string(abi >> 56) + "." + std::to_string(abi >> 48 & 0xff) + "." +
         std::to_string(abi >> 40 & 0xff);
}

// Chooses torch's instruction set as torch does. Torch reads files of the machine for it: if one
// cannot be opened, it crashes or silently computes other bits.
std::string ChooseInstructionSet() {
#ifdef __x86_64__
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  const char* name = has_avx512 ? "avx512" : has_avx2 ? "avx2" : "default";
  setenv("ATEN_CPU_CAPABILITY", name, /*overwrite=*/0);
#endif
  return at::get_cpu_capability();
}

using Stop = int (*)();

template <class Request, core::Outcome (*Action)(const Request&)>
core::Outcome Run(const nlohmann::json& fields, Stop should_stop) {
  Request request;
  core::ApplyJson(request, fields, "the request");
  // The library has its own log.
  core::SetLogLevel(request.job.verbose ? core::LogLevel::kDebug : core::LogLevel::kInfo);
  request.job.should_stop = [should_stop] { return should_stop() != 0; };
  return Action(request);
}

const std::map<std::string, core::Outcome (*)(const nlohmann::json&, Stop)> kCommands = {
    {"population train", Run<ppo::PopulationRequest, ppo::TrainPopulation>},
    {"model train", Run<representation::ModelRequest, representation::TrainModel>},
};

int RunCommand(const char* command, const char* request, Stop should_stop, char* message,
               int message_size) {
  const auto say = [&](const std::string& text) {
    std::snprintf(message, static_cast<std::size_t>(message_size), "%s", text.c_str());
  };
  say("");
  try {
    const auto found = kCommands.find(command);
    if (found == kCommands.end()) Fail("librhumb_learn has no command '{}'", command);
    if (found->second(nlohmann::json::parse(request), should_stop) == core::Outcome::kDone) {
      return core::kSuccess;
    }
    say("interrupted; the work is saved, and the same command continues from there");
    return core::kInterrupted;
  } catch (const std::exception& error) {
    const core::CommandFailed end = core::EndingOf(error);
    say(end.message);
    return end.code;
  }
}

}  // namespace
}  // namespace rhumb::learn

const RhumbLearnInfo* DescribeRhumbLearn() {
  static const std::string kTorchVersion = rhumb::learn::LoadedTorchVersion();
  static const std::string kCpuCapability = rhumb::learn::ChooseInstructionSet();
  static const RhumbLearnInfo kInfo = {kRhumbLearnAbi, kTorchVersion.c_str(),
                                       kCpuCapability.c_str(), at::get_num_threads(),
                                       rhumb::learn::RunCommand};
  return &kInfo;
}
