#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/core/error.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/population/population_progress.h"
#include "rhumb/serve/model_subject.h"
#include "rhumb/serve/page_files.h"
#include "rhumb/serve/population_subject.h"
#include "rhumb/serve/server.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxModels = 16;
constexpr const char* kFirstModel = "halfcheetah";

struct ServeArguments {
  std::vector<std::string> models;
  std::string host = "127.0.0.1";
  int port = 8700;
  std::vector<std::string> names;

  void AddTo(Command& command) {
    command.Add("MODEL", models,
                "folders of models, or names of the zoo (default: all of the zoo, halfcheetah "
                "first); also populations, OUT or OUT.work of one in training; the first is shown "
                "first");
    command.Add("--host", host,
                "address to serve; any other than 127.0.0.1 opens it to the network",
                {.show_default = true});
    command.Add("--port", port, "port to serve; 0: any free one",
                {.between = {0, 65535}, .show_default = true});
    command.Add("--name", names,
                "further name by which browsers may call this machine, for example behind a "
                "tunnel; may be repeated",
                {.one_per_use = true});
  }
};

bool IsLoopback(const std::string& host) { return host.starts_with("127.") || host == "::1"; }

void Serve(const CommonOptions& options, const ServeArguments& arguments) {
  std::vector<std::string> names = arguments.models.empty() ? zoo::ZooNames() : arguments.models;
  if (arguments.models.empty()) {
    // The zoo's names are sorted; the tour begins where the documents do.
    std::stable_partition(names.begin(), names.end(),
                          [](const std::string& name) { return name == kFirstModel; });
  }
  if (names.empty()) Fail("the zoo is empty; give a MODEL to serve");
  if (names.size() > kMaxModels) {
    Fail("{} models; at most {} can be served together", names.size(), kMaxModels);
  }
  std::vector<std::shared_ptr<const serve::Subject>> subjects;
  std::set<std::string> taken;
  std::vector<std::string> served;  // in order
  for (const std::string& name : names) {
    if (population::PopulationProgress::IsPopulation(name)) {
      subjects.push_back(std::make_shared<const serve::PopulationSubject>(name));
    } else {
      subjects.push_back(std::make_shared<const serve::ModelSubject>(name));
    }
    if (!taken.insert(subjects.back()->name()).second) {
      Fail("two models are named '{}'; serve them one by one, or rename a folder",
           subjects.back()->name());
    }
    served.push_back(subjects.back()->name());
  }
  serve::ServerOptions server_options;
  server_options.host = arguments.host;
  server_options.port = arguments.port;
  server_options.names = arguments.names;
  server_options.page = serve::PageFiles::InstalledFolder();
  serve::Server server(subjects, server_options);
  core::CatchInterrupts();
  if (!IsLoopback(arguments.host)) {
    core::LogWarning(
        "{} is open to the network, without encryption; who sees the token can use the server",
        arguments.host);
  }
  if (options.json) {
    PrintJson({{"url", server.url()},
               {"port", server.port()},
               {"token", server.token()},
               {"models", served}});
  } else {
    fmt::print("Studio: {}\nOpen this address in a browser. Ctrl-C ends it.\n", server.url());
  }
  std::fflush(stdout);
  server.Run([] { return core::WasInterrupted(); });
  if (!options.json) fmt::print("ended\n");
}

}  // namespace

void AddServeCommand(Command& app) {
  AddCommand<ServeArguments>(
      app,
      {"serve", "ask, watch and change the question while it runs, in the browser",
       "  rhumb serve\n"
       "  rhumb serve halfcheetah crawler.model --port 9000\n"
       "  rhumb serve cheetah.population        watches its policies, while it trains too\n"
       "docs/serve.md has the addresses for programs.\n"},
      Serve);
}

}  // namespace rhumb::cli
