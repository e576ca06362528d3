#include "rhumb/cli/reproduce_command.h"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "rhumb/cli/exit_code.h"
#include "rhumb/cli/interrupt.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/report.h"
#include "rhumb/cli/reproduce_plan.h"
#include "rhumb/cli/stage.h"
#include "rhumb/core/error.h"
#include "rhumb/core/file.h"
#include "rhumb/core/json_file.h"
#include "rhumb/core/log.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxReportBytes = std::uint64_t{1} << 30;

struct ReproduceArguments {
  std::string environment, rewards, out;
  std::string scale = "full";
  std::string device = "cpu";
};

// What `rhumb evaluate` can measure.
std::set<std::string> MeasuresOf(const CLI::App& app) {
  const CLI::App& evaluate = *app.get_subcommand("evaluate");
  std::set<std::string> names;
  for (const CLI::App* one : evaluate.get_subcommands([](const CLI::App*) { return true; })) {
    names.insert(one->get_name());
  }
  return names;
}

// Makes the folder, or takes it up where it is of the same run. Stages may replace what stands
// there, so a folder with anything else in it is an Error.
void OpenFolder(const fs::path& folder, const json& run) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) Fail("cannot write {}: {}", folder.string(), error.message());
  const fs::path file = folder / "reproduce.json";
  if (!fs::exists(file)) {
    if (!fs::is_empty(folder)) {
      Fail("{} is not empty, and not of `rhumb reproduce`; choose another --out", folder.string());
    }
    core::WriteFileAtomically(file, run.dump(2) + "\n");
    return;
  }
  const json there = core::ReadJson(file, kMaxReportBytes);
  for (const auto& [key, value] : run.items()) {
    const json old = there.is_object() && there.contains(key) ? there[key] : json(nullptr);
    if (old != value) {
      Fail("{} is another reproduction: its {} is {}, not {}; choose another --out",
           folder.string(), key, old.dump(), value.dump());
    }
  }
}

// Leaves a file alone that says the same.
void Update(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  if (fs::exists(file, ignored) && core::ReadFile(file, kMaxReportBytes) == text) return;
  core::WriteFileAtomically(file, text);
}

// The outputs of the stages that ran.
std::vector<std::string> RunStages(const std::vector<Stage>& stages, const fs::path& folder) {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  std::vector<std::string> made;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = stages[i];
    if (WasInterrupted()) {
      throw CommandFailed{
          kInterrupted,
          fmt::format("interrupted before {}; the same command goes on from there", stage.output)};
    }
    if (IsUpToDate(stage, folder)) continue;
    core::LogInfo("{} of {}: {}", i + 1, stages.size(), stage.output);
    RunStage(stage, folder, program);
    made.push_back(stage.output);
  }
  return made;
}

void Reproduce(const CommonOptions& options, const ReproduceArguments& arguments,
               const std::set<std::string>& measures) {
  options.Resolve<NoSettings>();
  const sim::EnvironmentSpec spec = sim::FindSpec(arguments.environment);
  (void)spec.objectives(arguments.rewards);  // an Error where there are none
  ReproduceRequest request{.environment = arguments.environment,
                           .rewards = arguments.rewards,
                           .scale = arguments.scale,
                           .device = arguments.device,
                           .seed = options.seed,
                           .threads = options.threads};
  // The commands run in the folder of the report.
  if (request.environment.ends_with(".toml"))
    request.environment = fs::absolute(spec.file).string();
  const std::vector<Stage> stages = MakePlan(request, measures);
  const json run = {{"environment", spec.id},
                    {"rewards", arguments.rewards},
                    {"scale", arguments.scale},
                    {"seed", options.seed}};
  const fs::path folder = arguments.out;
  OpenFolder(folder, run);
  CatchInterrupts();
  const std::vector<std::string> made = RunStages(stages, folder);
  if (made.empty()) core::LogInfo("all {} stages were done already", stages.size());

  const json report = MakeReport(run, stages, folder);
  Update(folder / "report.json", report.dump(2) + "\n");
  Update(folder / "report.html", FormatReport(report));
  Update(folder / "commands.sh", FormatCommands(report));
  const std::string page = (folder / "report.html").string();
  if (options.json) {
    return PrintJson({{"report", page}, {"stages", stages.size()}, {"made", made}});
  }
  fmt::print("report: {}\n", page);
}

}  // namespace

void AddReproduceCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "reproduce",
      "the whole pipeline and every measurement of the paper, from nothing to a report");
  auto options = std::make_shared<CommonOptions>();
  auto arguments = std::make_shared<ReproduceArguments>();
  options->AddTo(*command);
  command
      ->add_option("--env", arguments->environment,
                   "an id of `rhumb envs list`, or a spec, FILE.toml")
      ->required();
  command->add_option("--rewards", arguments->rewards, "reward preset; default: the environment's");
  std::vector<std::string> scales;
  for (const Scale& scale : Scales()) scales.push_back(scale.name);
  command
      ->add_option(
          "--scale", arguments->scale,
          "full: every default, for a GPU; small: minutes on a CPU; smoke: a minute or two "
          "for point-v0")
      ->check(CLI::IsMember(scales))
      ->capture_default_str();
  command->add_option("--out", arguments->out, "folder of the report and of all that it comes from")
      ->required();
  command->add_option("--device", arguments->device, "where the networks learn")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  DescribeSettings(
      *command, {},
      "  rhumb reproduce --env point-v0 --scale smoke --out point.report\n"
      "  rhumb reproduce --env mo-halfcheetah-v5 --device cuda --out cheetah.report\n"
      "The same command goes on where an interrupted one stopped, on another machine too, and "
      "makes "
      "again\nwhat was removed or is older than what it is made of. Each OUTPUT.stamp has the "
      "command that made OUTPUT.\n");
  command->callback(
      [options, arguments, &app] { Reproduce(*options, *arguments, MeasuresOf(app)); });
}

}  // namespace rhumb::cli
