#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/text.h"
#include "rhumb/eval/map/model_map.h"
#include "rhumb/eval/steering/synthesis.h"
#include "rhumb/pipeline/folder_lock.h"
#include "rhumb/pipeline/reproduce_plan.h"
#include "rhumb/pipeline/reproduction.h"
#include "rhumb/pipeline/schedule.h"
#include "rhumb/pipeline/stage.h"
#include "rhumb/report/figure.h"
#include "rhumb/report/page.h"
#include "rhumb/report/picture.h"
#include "rhumb/report/report.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct ReproduceArguments {
  std::string environment, rewards, out, report;
  std::string scale = "full";
  std::string device = "cpu";
  int jobs = 1;

  void AddTo(Command& command) {
    const Option env = AddEnvironment(command, environment, rewards);
    command.Add(
        "--scale", scale,
        "full: all defaults, for a GPU; small: minutes on a CPU; smoke: one or two minutes for "
        "point-v0",
        {.one_of = core::NamesOf(pipeline::Scales()), .show_default = true});
    const Option folder =
        command.Add("--out", out, "folder of the report and of all artefacts behind it");
    command.Add("--device", device, "device that trains the networks",
                {.one_of = {"cpu", "cuda"}, .show_default = true});
    command.Add("--jobs", jobs, "stages that run in parallel and share the threads",
                {.between = {1, 1024}, .show_default = true});
    command.Add("--report", report,
                "only draw the figures and write the page of this folder. It needs report.json, "
                "measures/ and models/ours/model.json of a reproduction",
                {.excludes = {env, folder}});
  }
};

// Runs the stages and adds the time to the total in reproduce.json, also if one fails.
std::vector<std::string> RunAll(const std::vector<pipeline::Stage>& stages,
                                pipeline::Reproduction& opened, int jobs) {
  const auto start = std::chrono::steady_clock::now();
  const auto keep_time = [&] {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    opened.run["elapsed_seconds"] = opened.run.value("elapsed_seconds", 0.0) + time.count();
    opened.SaveRun();
  };
  std::vector<std::string> made;
  try {
    made = pipeline::RunStages(stages, opened.folder, fs::read_symlink("/proc/self/exe"), jobs);
  } catch (const core::CommandFailed&) {
    keep_time();
    throw;
  }
  if (made.empty()) {
    core::LogInfo("all {} stages are up to date", stages.size());
  } else {
    keep_time();
  }
  return made;
}

// A run that is killed after it has written a model, and before it has drawn the map, leaves a
// complete stage without the picture.
void DrawMissingMaps(const std::vector<pipeline::Stage>& stages, const fs::path& folder) {
  for (const pipeline::Stage& stage : stages) {
    const fs::path model = folder / stage.output;
    if (!fs::exists(model / "model.json") || fs::exists(model / "map.png")) continue;
    if (!report::CanRunScripts("map")) return;
    report::DrawPicture("model.py", eval::DescribeMap(net::ReadModel(model)), model / "map.png");
  }
}

// The files that present a report.
struct Presentation {
  bool has_page = false;
  std::vector<std::string> figures;  // names of those drawn
  std::size_t wanted_figures = 0;
};

Presentation Present(const CommonOptions& options, const json& report, const fs::path& folder) {
  const json columns = eval::DescribeSynthesisColumns();
  const std::vector<report::Figure> wanted = report::FiguresOf(report, columns);
  pipeline::UpdateFile(folder / "commands.sh", report::FormatCommands(report));
  Presentation made{.figures = report::DrawFigures(wanted, folder, options.threads),
                    .wanted_figures = wanted.size()};
  made.has_page = report::WritePage(report, wanted, made.figures, columns, folder);
  return made;
}

// Adds `extra` to the document of --json.
void Print(const CommonOptions& options, const Presentation& made, const fs::path& folder,
           json extra) {
  const std::string page = (folder / "report.html").string();
  const std::size_t missing = made.wanted_figures - made.figures.size();
  if (options.json) {
    extra["report"] = made.has_page ? json(page) : json(nullptr);
    extra["figures"] = json::array();
    for (const std::string& name : made.figures) {
      extra["figures"].push_back(report::FigurePath(name, ".png"));
    }
    return PrintJson(extra);
  }
  fmt::print("report: {}\n", made.has_page ? page : (folder / "report.json").string());
  if (!made.has_page || missing > 0) {
    fmt::print("{}{} of {} figures are missing; to make them: rhumb reproduce --report {}\n",
               made.has_page ? "" : "the page and ", missing, made.wanted_figures,
               pipeline::FormatCommand({folder.string()}));
  }
}

void PresentAgain(const CommonOptions& options, const fs::path& folder) {
  const json report = core::ReadJson(folder / "report.json", report::kMaxDocumentBytes);
  Presentation made;
  try {
    made = Present(options, report, folder);
  } catch (const json::exception& problem) {
    Fail("{} is not a report of `rhumb reproduce`, or a measure beside it is damaged: {}",
         (folder / "report.json").string(), problem.what());
  }
  if (!made.has_page) {
    Fail("{} is not written; the line above names the cause", (folder / "report.html").string());
  }
  Print(options, made, folder, json::object());
}

// Returns the requested environment, or that of the run in the folder.
core::EnvironmentBundle ChooseEnvironment(const ReproduceArguments& arguments,
                                          const fs::path& folder) {
  if (!arguments.environment.empty()) {
    return sim::FindBundle(arguments.environment, arguments.rewards);
  }
  if (!fs::exists(folder / pipeline::kRunFile)) {
    Fail("give --env: {} has no run to continue", folder.string());
  }
  return pipeline::EnvironmentOf(folder);
}

void Reproduce(const CommonOptions& options, const ReproduceArguments& arguments) {
  if (!arguments.report.empty()) return PresentAgain(options, arguments.report);
  if (arguments.out.empty()) {
    Fail("give --out FOLDER, or --report FOLDER to present a finished reproduction");
  }
  const fs::path folder = arguments.out;
  const core::EnvironmentBundle bundle = ChooseEnvironment(arguments, folder);
  core::CatchInterrupts();
  core::MakeFolder(folder);
  const pipeline::FolderLock lock(folder);
  pipeline::Reproduction opened = pipeline::OpenReproduction(
      folder, {.environment = bundle, .scale = arguments.scale, .seed = options.seed});
  pipeline::ReproduceRequest& request = opened.request;
  request.device = arguments.device;
  request.threads = options.threads;
  request.jobs = arguments.jobs;
  const std::vector<pipeline::Stage> stages = pipeline::MakePlan(request);
  const std::vector<std::string> made = RunAll(stages, opened, arguments.jobs);
  DrawMissingMaps(stages, folder);

  json run = opened.run;
  run["environment"] = bundle.id;
  run["rewards"] = bundle.rewards;
  run["objectives"] = request.objectives;
  run["attributes"] = json::array();
  for (const sim::AttributeSpec& attribute : request.attributes) {
    run["attributes"].push_back(
        {{"name", attribute.name}, {"expression", attribute.expression}, {"unit", attribute.unit}});
  }
  const json report = report::MakeReport(run, stages, folder);
  pipeline::UpdateFile(folder / "report.json", report.dump(2) + "\n");
  Print(options, Present(options, report, folder), folder,
        {{"stages", stages.size()}, {"made", made}});
}

}  // namespace

void AddReproduceCommand(Command& app) {
  AddCommand<ReproduceArguments>(
      app,
      {"reproduce", "run the whole pipeline and every measurement of the paper, and write a report",
       "  rhumb reproduce --env point-v0 --scale smoke --out point.report\n"
       "  rhumb reproduce --env mo-halfcheetah-v5 --device cuda --jobs 4 --out cheetah.report\n"
       "  rhumb reproduce --report cheetah.report\n"
       "The same command resumes an interrupted run, also on another machine. It repeats stages\n"
       "whose output is missing or whose inputs have changed. OUTPUT.stamp holds the command that\n"
       "made OUTPUT. With --jobs above 1, OUTPUT.log holds its messages while it runs.\n"
       "To draw the figures on another machine, copy report.json, measures/ and\n"
       "models/ours/model.json there, and use --report.\n"},
      Reproduce);
}

}  // namespace rhumb::cli
