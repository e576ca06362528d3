#include "rhumb/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/report/picture.h"
#include "rhumb/report/report.h"
#include "rhumb/report/stamped_output.h"

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Documents = std::vector<json>;

json First(const Documents& documents) { return documents.front(); }
json Parts(const Documents& documents) { return {{"parts", documents}}; }

std::string Measured(const std::string& name) { return fmt::format("measures/{}.json", name); }

// Returns outputs of a measure whose names end in `end`, in the order of the stages.
std::vector<std::string> OutputsOf(const json& report, const std::string& measure,
                                   const std::string& end) {
  std::vector<std::string> outputs;
  for (const json& stage : report.at("stages")) {
    const auto output = stage.at("output").get<std::string>();
    if (MeasureOf(output) == measure && output.ends_with(end)) outputs.push_back(output);
  }
  return outputs;
}

Figure ConstraintsFigure(const json& report, const std::string& mode, const json& columns) {
  std::vector<std::string> inputs = OutputsOf(report, "constraints", fmt::format("-{}.json", mode));
  inputs.push_back(Measured("hole/" + mode));
  return {"constraints-" + mode, "constraints.py", std::move(inputs),
          [](const Documents& documents) {
            json counts = json::array();
            for (std::size_t i = 0; i + 1 < documents.size(); ++i) {
              counts.push_back({{"constraints", i + 1}, {"report", documents[i]}});
            }
            return json{{"counts", counts}, {"hole", documents.back()}};
          },
          columns};
}

Figure OrderingFigure(const json& report) {
  return {"ordering", "ordering.py", OutputsOf(report, "ordering", ".json"),
          [](const Documents& documents) {
            json models = json::object();
            for (const json& document : documents) {
              const fs::path model = document.at("model").get<std::string>();
              models[model.filename().string()] = document;
            }
            return json{{"models", models}};
          }};
}

// Returns the hash of all inputs of a figure, or nothing if an input is missing.
std::optional<std::string> HashOf(const Figure& figure, const fs::path& folder) {
  std::error_code ignored;
  json whole = {
      {"script", figure.script}, {"scripts", HashOfScripts()}, {"columns", figure.columns}};
  for (const std::string& input : figure.inputs) {
    if (!fs::exists(folder / input, ignored)) {
      core::LogWarning("figure {} is not drawn: {} is missing", figure.name, input);
      return std::nullopt;
    }
    whole["inputs"].push_back(core::Sha256OfFile(folder / input));
  }
  return core::Sha256(whole.dump());
}

struct Target {
  const Figure& figure;
  std::optional<std::string> hash;
  StampedOutput output;

  bool IsUpToDate() const { return hash && output.IsUpToDate(); }
};

Target TargetOf(const Figure& figure, const fs::path& folder) {
  const auto file = [&](const char* ending) { return folder / FigurePath(figure.name, ending); };
  const std::optional<std::string> hash = HashOf(figure, folder);
  return {figure, hash,
          StampedOutput({file(".png"), file(".svg")}, file(".stamp"), hash.value_or(""))};
}

void Draw(const Target& target, const fs::path& folder) {
  Documents documents;
  for (const std::string& input : target.figure.inputs) {
    documents.push_back(core::ReadJson(folder / input, kMaxDocumentBytes));
  }
  json document = target.figure.combine(documents);
  if (!target.figure.columns.is_null()) document["columns"] = target.figure.columns;
  target.output.Make(target.figure.script, "picture", document);
}

}  // namespace

std::vector<Figure> FiguresOf(const json& report, const json& columns) {
  std::vector<std::string> imitations;
  for (const char* split : {"train", "held_out_checkpoint", "held_out_weight"}) {
    imitations.push_back(Measured(fmt::format("imitation/{}-sampled", split)));
  }
  std::vector<Figure> figures = {
      {"architecture", "architecture.py", {"models/ours/model.json"}, First},
      {"returns", "returns.py", imitations, Parts},
      {"sawtooth", "sawtooth.py", imitations, Parts},
      {"geometry", "geometry.py", {Measured("geometry/ours")}, First},
      {"geometry-vae",
       "geometry.py",
       {Measured("geometry/ours"), Measured("geometry/vae")},
       [](const Documents& documents) {
         return json{{"ours", documents[0]}, {"vae", documents[1]}};
       }},
      {"synthesis-sampled", "synthesis.py", {Measured("synthesis/ours-sampled")}, First},
      {"synthesis-mean", "synthesis.py", {Measured("synthesis/ours-mean")}, First},
      ConstraintsFigure(report, "sampled", columns),
      ConstraintsFigure(report, "mean", columns),
      {"front-sampled", "front.py", {Measured("front/sampled")}, First},
      {"front-mean", "front.py", {Measured("front/mean")}, First},
      {"paths", "paths.py", {Measured("paths/ours")}, First},
      OrderingFigure(report),
      {"context", "context.py", {Measured("context/ours")}, First},
      {"control_functional", "control_functional.py", {Measured("control-functional")}, First}};
  std::set<std::string> made = {"models/ours/model.json"};
  for (const json& stage : report.at("stages")) made.insert(stage.at("output"));
  std::erase_if(figures, [&](const Figure& figure) {
    return figure.inputs.empty() ||
           !std::all_of(figure.inputs.begin(), figure.inputs.end(),
                        [&](const std::string& input) { return made.contains(input); });
  });
  return figures;
}

std::string FigurePath(const std::string& name, std::string_view ending) {
  return fmt::format("figures/{}{}", name, ending);
}

std::vector<std::string> DrawFigures(const std::vector<Figure>& figures, const fs::path& folder,
                                     int threads) {
  core::MakeFolder(folder / "figures");
  std::vector<Target> targets;
  std::vector<const Target*> stale;
  targets.reserve(figures.size());
  for (const Figure& figure : figures) {
    const Target& target = targets.emplace_back(TargetOf(figure, folder));
    if (target.IsUpToDate()) continue;
    target.output.Remove();
    if (target.hash) stale.push_back(&target);
  }
  if (!stale.empty() && CanRunScripts("picture")) {
    core::LogInfo("drawing {} figures", stale.size());
    core::ThreadPool pool(std::min(threads, static_cast<int>(stale.size())));
    pool.ParallelFor(static_cast<std::int64_t>(stale.size()), [&](std::int64_t i, int) {
      Draw(*stale[static_cast<std::size_t>(i)], folder);
    });
  }
  std::vector<std::string> drawn;
  for (const Target& target : targets) {
    if (target.IsUpToDate()) drawn.push_back(target.figure.name);
  }
  return drawn;
}

}  // namespace rhumb::report
