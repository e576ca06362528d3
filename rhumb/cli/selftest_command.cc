#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/zoo/selftest.h"

namespace rhumb::cli {
namespace {

void SelfTest(const CommonOptions& options) {
  const zoo::SelfTestReport report = zoo::RunSelfTest();
  if (options.json) {
    return PrintJson({{"signature", report.signature},
                      {"environments", report.environments},
                      {"models", report.models},
                      {"steps", report.steps}});
  }
  fmt::print("selftest {}: {} environments, {} models, {} steps\n", report.signature,
             report.environments, report.models, report.steps);
}

}  // namespace

void AddSelfTestCommand(Command& app) {
  AddCommand(app,
             {"selftest", "print a signature of a fixed tiny run on the CPU",
              "  rhumb selftest\n"
              "Builds with equal signatures compute equal numbers, bit by bit.\n"},
             SelfTest);
}

}  // namespace rhumb::cli
