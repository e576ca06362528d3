#include "rhumb/zoo/zoo_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/file.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/held_out.h"
#include "rhumb/eval/model_map.h"
#include "rhumb/eval/task.h"
#include "rhumb/net/model.h"
#include "rhumb/net/model_card.h"
#include "rhumb/pipeline/stage.h"
#include "rhumb/report/picture.h"
#include "rhumb/zoo/model_place.h"
#include "rhumb/zoo/zoo_signature.h"

namespace rhumb::zoo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The commands behind an output of `rhumb reproduce`, from its stamp and those of its inputs.
class CommandHistory {
 public:
  explicit CommandHistory(const fs::path& output) {
    const fs::path whole = fs::weakly_canonical(output);
    const std::optional<pipeline::Stamp> stamp =
        Read(whole.parent_path(), whole.filename().string());
    if (!stamp) return;
    // Paths in the command are relative to the run's folder. `--out` names the output.
    const auto& words = stamp->command;
    const auto out = std::find(words.begin(), words.end(), "--out");
    if (out == words.end() || std::next(out) == words.end()) return;
    const fs::path relative = *std::next(out);
    run_ = whole;
    for (auto part = relative.begin(); part != relative.end(); ++part) run_ = run_.parent_path();
    if (run_ / relative == whole) Visit(relative.string());
  }

  std::vector<std::string> commands() && { return std::move(commands_); }

 private:
  static std::optional<pipeline::Stamp> Read(const fs::path& folder, const std::string& output) {
    pipeline::Stage stage;
    stage.output = output;
    return pipeline::ReadStamp(folder, stage);
  }

  void Visit(const std::string& output) {
    if (!seen_.insert(output).second) return;
    const std::optional<pipeline::Stamp> stamp = Read(run_, output);
    if (!stamp) return;
    for (const std::string& word : stamp->command) Visit(word);
    commands_.push_back("rhumb " + pipeline::FormatCommand(stamp->command));
  }

  fs::path run_;
  std::set<std::string> seen_;
  std::vector<std::string> commands_;
};

// The manifest's fields about the artefact's origin.
json OriginOf(const core::Artifact& artifact) {
  json origin = {{"hash", artifact.hash()}};
  for (const char* key : {"command", "config", "created", "device", "parents", "rhumb", "seed",
                          "threads", "versions", "wall_seconds"}) {
    if (artifact.manifest().contains(key)) origin[key] = artifact.manifest()[key];
  }
  return origin;
}

data::Dataset OpenDataset(const std::string& folder, const net::Model& model) {
  data::Dataset dataset = data::Dataset::Open(folder);
  const std::string trained_on = model.provenance->value("dataset", "");
  if (dataset.artifact().hash() != trained_on) {
    Fail("{} is not the dataset that the model was trained on: its hash is {}, not {}", folder,
         dataset.artifact().hash(), trained_on.empty() ? "recorded in the model" : trained_on);
  }
  return dataset;
}

// The entry's name: the folder's last component, with or without a trailing slash.
std::string NameOf(const fs::path& out) {
  return (out.has_filename() ? out : out.parent_path()).filename().string();
}

std::string WriteCard(const net::Model& model, const std::string& name, const PackedEntry& entry) {
  std::string card = net::WriteModelCard(model) + "\n## In the zoo\n\n";
  card += fmt::format("Every command that takes a MODEL accepts `{}`.\n\n", name);
  if (entry.tasks > 0) {
    card += fmt::format(
        "- `tasks.jsonl`: the {} tasks that it is evaluated on, `rhumb evaluate synthesis {} "
        "--tasks "
        "FILE`\n",
        entry.tasks, name);
  }
  if (entry.held_out_policies > 0) {
    card += fmt::format(
        "- `held_out.safetensors`: a context (observations and actions) and the mean returns of "
        "each of {} policies that it was not trained on\n",
        entry.held_out_policies);
  }
  card += "- `signature.json`: a fixed input and the model's outputs for it\n";
  if (entry.commands.empty()) return card;
  card += "\nThe commands that made it, in order, all in one folder:\n\n";
  for (const std::string& command : entry.commands) card += "    " + command + "\n";
  return card;
}

std::uintmax_t CountBytes(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
    if (file.is_regular_file()) bytes += file.file_size();
  }
  return bytes;
}

}  // namespace

PackedEntry PackEntry(const PackRequest& request) {
  const fs::path folder = FindModel(request.model);
  const net::Model model = net::ReadModel(folder);
  const core::Artifact artifact = net::OpenModelArtifact(folder);
  PackedEntry entry;
  entry.commands = CommandHistory(folder).commands();
  json fields = {{"command", "zoo pack"},
                 {"seed", request.seed},
                 {"parents", {{"model", artifact.hash()}}},
                 {"model", OriginOf(artifact)}};
  if (!entry.commands.empty()) fields["commands"] = entry.commands;

  core::ArtifactWriter writer(request.out, artifact.kind());
  if (!request.data.empty()) {
    const data::Dataset dataset = OpenDataset(request.data, model);
    entry.held_out_policies =
        eval::WriteHeldOut(dataset, model, request.seed, writer.file("held_out.safetensors"));
    fields["parents"]["dataset"] = dataset.artifact().hash();
    fields["dataset"] = OriginOf(dataset.artifact());
  }
  if (!request.tasks.empty()) {
    entry.tasks = static_cast<int>(eval::ReadTasks(request.tasks, model).size());
    fs::copy_file(request.tasks, writer.file("tasks.jsonl"));
  }
  for (const char* name : {"model.safetensors", "model.json"}) {
    fs::copy_file(artifact.file(name), writer.file(name));
  }
  core::WriteBundle(model.description.environment, writer);
  core::WriteFileAtomically(writer.file("signature.json"), SignModel(model).dump() + "\n");
  core::WriteFileAtomically(writer.file("README.md"), WriteCard(model, NameOf(request.out), entry));
  report::DrawPicture("model.py", eval::DescribeMap(model), writer.file("map.png"));
  entry.bytes = CountBytes(writer.file("README.md").parent_path());
  if (entry.bytes > kMaxEntryBytes) {
    Fail("{} would have {} bytes; a zoo entry may have at most {}", request.out.string(),
         entry.bytes, kMaxEntryBytes);
  }
  writer.Commit(fields);
  return entry;
}

}  // namespace rhumb::zoo
