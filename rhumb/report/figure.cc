#include "rhumb/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/file.h"
#include "rhumb/core/hash.h"
#include "rhumb/core/json_file.h"
#include "rhumb/core/log.h"
#include "rhumb/core/path.h"
#include "rhumb/core/thread_pool.h"
#include "rhumb/report/picture.h"
#include "rhumb/report/report_reader.h"

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Documents = std::vector<json>;

constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{1} << 30, kMaxStampBytes = 1 << 10;

json First(const Documents& documents) { return documents.front(); }
json Parts(const Documents& documents) { return {{"parts", documents}}; }

std::string Measured(const std::string& name) { return fmt::format("measures/{}.json", name); }

// Outputs of a measure whose names end so, in the order of the stages.
std::vector<std::string> OutputsOf(const json& report, const std::string& measure,
                                   const std::string& end) {
  std::vector<std::string> outputs;
  for (const json& stage : report.at("stages")) {
    const auto output = stage.at("output").get<std::string>();
    if (MeasureOf(output) == measure && output.ends_with(end)) outputs.push_back(output);
  }
  return outputs;
}

Figure ConstraintsFigure(const json& report, const std::string& mode) {
  std::vector<std::string> inputs = OutputsOf(report, "constraints", fmt::format("-{}.json", mode));
  inputs.push_back(Measured("hole/" + mode));
  return {"constraints-" + mode, "constraints.py", std::move(inputs),
          [](const Documents& documents) {
            json counts = json::array();
            for (std::size_t i = 0; i + 1 < documents.size(); ++i) {
              counts.push_back({{"constraints", i + 1}, {"report", documents[i]}});
            }
            return json{{"counts", counts}, {"hole", documents.back()}};
          }};
}

Figure OrderingFigure(const json& report) {
  return {"ordering", "ordering.py", OutputsOf(report, "ordering", ".json"),
          [](const Documents& documents) {
            json models = json::object();
            for (const json& document : documents) models[ModelOf(document)] = document;
            return json{{"models", models}};
          }};
}

// What a figure is made of; nothing where an input is missing.
std::optional<std::string> HashOf(const Figure& figure, const fs::path& folder) {
  std::error_code ignored;
  // Scripts share parts, so each figure is of all of them.
  json whole = {{"script", figure.script}, {"scripts", json::object()}};
  const fs::path scripts = core::InstallationFolder() / "share/rhumb/pictures";
  for (const fs::directory_entry& file : fs::directory_iterator(scripts, ignored)) {
    if (file.path().extension() != ".py") continue;
    whole["scripts"][file.path().filename().string()] = core::Sha256OfFile(file.path());
  }
  for (const std::string& input : figure.inputs) {
    if (!fs::exists(folder / input, ignored)) {
      core::LogWarning("figure {} is not drawn: there is no {}", figure.name, input);
      return std::nullopt;
    }
    whole["inputs"].push_back(core::Sha256OfFile(folder / input));
  }
  return core::Sha256(whole.dump());
}

// One figure of a folder: its files, and whether they are those of its inputs.
class Target {
 public:
  Target(const Figure& figure, const fs::path& folder)
      : figure_(figure), folder_(folder), hash_(HashOf(figure, folder)) {}

  bool can_be_made() const { return hash_.has_value(); }

  bool IsUpToDate() const {
    std::error_code ignored;
    return hash_ && fs::exists(At(".png"), ignored) && fs::exists(At(".svg"), ignored) &&
           fs::exists(At(".stamp"), ignored) &&
           core::ReadFile(At(".stamp"), kMaxStampBytes) == *hash_ + "\n";
  }

  void Remove() const {
    for (const char* end : {".stamp", ".png", ".svg"}) fs::remove(At(end));
  }

  void Draw() const {
    Documents documents;
    for (const std::string& input : figure_.inputs) {
      documents.push_back(core::ReadJson(folder_ / input, kMaxDocumentBytes));
    }
    const json document = figure_.combine(documents);
    if (!DrawPicture(figure_.script, document, At(".png"), At(".svg"))) return;
    core::WriteFileAtomically(At(".stamp"), *hash_ + "\n");
  }

  FigureFile File() const {
    return {figure_.name, fmt::format("figures/{}.png", figure_.name),
            fmt::format("figures/{}.svg", figure_.name)};
  }

 private:
  fs::path At(const char* end) const { return folder_ / "figures" / (figure_.name + end); }

  const Figure& figure_;
  const fs::path& folder_;
  std::optional<std::string> hash_;
};

}  // namespace

std::vector<Figure> FiguresOf(const json& report) {
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
      ConstraintsFigure(report, "sampled"),
      ConstraintsFigure(report, "mean"),
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

std::vector<FigureFile> DrawFigures(const std::vector<Figure>& figures, const fs::path& folder,
                                    int threads) {
  std::error_code error;
  fs::create_directories(folder / "figures", error);
  if (error) Fail("cannot write {}: {}", (folder / "figures").string(), error.message());
  std::vector<Target> targets, stale;
  for (const Figure& figure : figures) {
    targets.emplace_back(figure, folder);
    if (targets.back().IsUpToDate()) continue;
    targets.back().Remove();
    if (targets.back().can_be_made()) stale.push_back(targets.back());
  }
  if (!stale.empty() && CanDrawPictures()) {
    core::LogInfo("drawing {} figures", stale.size());
    core::ThreadPool pool(std::min(threads, static_cast<int>(stale.size())));
    pool.ParallelFor(static_cast<std::int64_t>(stale.size()),
                     [&](std::int64_t i, int) { stale[static_cast<std::size_t>(i)].Draw(); });
  }
  std::vector<FigureFile> files;
  for (const Target& target : targets) {
    if (target.IsUpToDate()) files.push_back(target.File());
  }
  return files;
}

}  // namespace rhumb::report
