#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/zoo/selftest.h"

namespace rhumb::cli {
namespace {

void SelfTest(const CommonOptions& options) {
  options.Resolve<NoSettings>();
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

void AddSelfTestCommand(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("selftest", "one line: a signature of a fixed tiny run on the CPU");
  auto options = std::make_shared<CommonOptions>();
  options->AddTo(*command);
  DescribeSettings(
      *command, {},
      "  rhumb selftest\n"
      "Two builds with the same signature compute the same numbers, bit by bit. Quote it "
      "in commits\nthat change no behaviour.\n");
  command->callback([options] { SelfTest(*options); });
}

}  // namespace rhumb::cli
