#include "rhumb/learn/library.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/core/config.h"
#include "rhumb/core/error.h"
#include "rhumb/learn/population.h"

namespace rhumb::learn {
namespace {

// Asked of the library that was loaded, not of the headers this file was compiled with: the highest
// three bytes are major, minor and patch.
std::string LoadedTorchVersion() {
  const std::uint64_t abi = aoti_torch_abi_version();
  return std::to_string(abi >> 56) + "." + std::to_string(abi >> 48 & 0xff) + "." +
         std::to_string(abi >> 40 & 0xff);
}

constexpr int kDone = 0;
constexpr int kOurBug = 1;
constexpr int kBadInput = 2;
constexpr int kInterrupted = 130;

int TrainPopulationFrom(const nlohmann::json& job, int (*should_stop)()) {
  PopulationRequest request;
  request.environment = job.at("environment");
  request.rewards = job.at("rewards");
  request.out = job.at("out").get<std::string>();
  request.device = job.at("device");
  request.threads = job.at("threads");
  request.seed = job.at("seed");
  request.agents = job.at("agents").get<std::vector<int>>();
  request.quiet = job.at("quiet");
  request.should_stop = [should_stop] { return should_stop() != 0; };
  if (const std::string file = job.at("config_file"); !file.empty()) {
    core::ApplyToml(request.config, file);
  }
  for (const std::string setting : job.at("settings")) core::ApplySetting(request.config, setting);
  return TrainPopulation(request) == PopulationOutcome::kDone ? kDone : kInterrupted;
}

int Run(const char* request, int (*should_stop)(), char* message, int message_size) {
  const auto say = [&](const std::string& text) {
    std::snprintf(message, static_cast<std::size_t>(message_size), "%s", text.c_str());
  };
  say("");
  try {
    const nlohmann::json job = nlohmann::json::parse(request);
    const std::string command = job.at("command");
    if (command == "population train") {
      const int code = TrainPopulationFrom(job, should_stop);
      if (code == kInterrupted) {
        say("interrupted; the work is saved, and the same command goes on from it");
      }
      return code;
    }
    Fail("librhumb_learn has no command '{}'", command);
  } catch (const Error& error) {
    say(error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    say(error.what());
    return kOurBug;
  }
}

}  // namespace
}  // namespace rhumb::learn

const RhumbLearnInfo* DescribeRhumbLearn() {
  static const std::string torch_version = rhumb::learn::LoadedTorchVersion();
  static const std::string cpu_capability = at::get_cpu_capability();
  static const RhumbLearnInfo info = {kRhumbLearnAbi, torch_version.c_str(), cpu_capability.c_str(),
                                      at::get_num_threads(), rhumb::learn::Run};
  return &info;
}
