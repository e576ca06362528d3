#include "rhumb/learn/library.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/core/error.h"
#include "rhumb/learn/ground/attribute_head.h"
#include "rhumb/learn/ground/grounding.h"
#include "rhumb/learn/ppo/population.h"
#include "rhumb/learn/representation/model_training.h"

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

using Stop = int (*)();

// Fields that several requests share, by the same names.
template <class Request>
void ReadCommon(const nlohmann::json& job, Stop should_stop, Request& request) {
  request.job.threads = job.at("threads");
  request.job.seed = job.at("seed");
  request.job.quiet = job.at("quiet");
  request.job.should_stop = [should_stop] { return should_stop() != 0; };
}

template <class Config>
void ReadConfig(const nlohmann::json& job, Config& config) {
  if (const std::string file = job.at("config_file"); !file.empty()) core::ApplyToml(config, file);
  for (const std::string setting : job.at("settings")) core::ApplySetting(config, setting);
}

core::Outcome TrainPopulationFrom(const nlohmann::json& job, Stop should_stop) {
  ppo::PopulationRequest request;
  ReadCommon(job, should_stop, request);
  request.environment = job.at("environment");
  request.rewards = job.at("rewards");
  request.out = job.at("out").get<std::string>();
  request.device = job.at("device");
  request.agents = job.at("agents").get<std::vector<int>>();
  ReadConfig(job, request.config);
  return ppo::TrainPopulation(request);
}

core::Outcome TrainModelFrom(const nlohmann::json& job, Stop should_stop) {
  representation::ModelRequest request;
  ReadCommon(job, should_stop, request);
  request.dataset = job.at("data").get<std::string>();
  request.population = job.at("population").get<std::string>();
  request.out = job.at("out").get<std::string>();
  request.device = job.at("device");
  if (job.at("preset") == "paper") request.config = representation::PaperRepresentation();
  ReadConfig(job, request.config);
  if (const std::string variant = job.at("variant"); !variant.empty()) {
    request.config.variant = variant;
  }
  return representation::TrainModel(request);
}

core::Outcome GroundModelFrom(const nlohmann::json& job, Stop should_stop) {
  ground::GroundRequest request;
  ReadCommon(job, should_stop, request);
  request.model = job.at("model").get<std::string>();
  request.data = job.at("data").get<std::string>();
  request.out = job.at("out").get<std::string>();
  request.modes = job.at("modes").get<std::vector<std::string>>();
  request.device = job.at("device");
  ReadConfig(job, request.config);
  return ground::GroundModel(request);
}

core::Outcome AddAttributeFrom(const nlohmann::json& job, Stop should_stop) {
  ground::AddAttributeRequest request;
  ReadCommon(job, should_stop, request);
  request.model = job.at("model").get<std::string>();
  request.data = job.at("data").get<std::string>();
  request.out = job.at("out").get<std::string>();
  request.name = job.at("name");
  request.expression = job.at("expression");
  request.unit = job.at("unit");
  request.roll_out = job.at("roll_out");
  return ground::AddAttribute(request);
}

const std::map<std::string, core::Outcome (*)(const nlohmann::json&, Stop)> kCommands = {
    {"population train", TrainPopulationFrom},
    {"model train", TrainModelFrom},
    {"model ground", GroundModelFrom},
    {"model add-attribute", AddAttributeFrom},
};

int Run(const char* request, int (*should_stop)(), char* message, int message_size) {
  const auto say = [&](const std::string& text) {
    std::snprintf(message, static_cast<std::size_t>(message_size), "%s", text.c_str());
  };
  say("");
  try {
    const nlohmann::json job = nlohmann::json::parse(request);
    const std::string command = job.at("command");
    const auto found = kCommands.find(command);
    if (found == kCommands.end()) Fail("librhumb_learn has no command '{}'", command);
    if (found->second(job, should_stop) == core::Outcome::kDone) return kDone;
    say("interrupted; the work is saved, and the same command goes on from it");
    return kInterrupted;
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
