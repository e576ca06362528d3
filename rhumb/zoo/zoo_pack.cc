#include "rhumb/zoo/zoo_pack.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/file.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/map/model_map.h"
#include "rhumb/eval/steering/held_out.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/net/model.h"
#include "rhumb/net/model_card.h"
#include "rhumb/pipeline/stage.h"
#include "rhumb/report/picture.h"
#include "rhumb/zoo/code_layout.h"
#include "rhumb/zoo/model_place.h"
#include "rhumb/zoo/zoo_signature.h"

namespace rhumb::zoo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Adds the command that made an output of the run, after those that made its inputs. Words that
// name no output have no stamp.
void AddCommands(const fs::path& run, const std::string& output, std::set<std::string>& seen,
                 std::vector<std::string>& commands) {
  const auto stamp = pipeline::ReadStamp(run, pipeline::Stage{.output = output});
  if (!stamp || !seen.insert(output).second) return;
  for (const std::string& word : stamp->command) AddCommands(run, word, seen, commands);
  commands.push_back("rhumb " + pipeline::FormatCommand(stamp->command));
}

// The commands behind a model of `rhumb reproduce`, in order; empty for other models. Outputs are
// named relative to the run's folder, which holds models/NAME.
std::vector<std::string> CommandsBehind(const fs::path& model) {
  const fs::path whole = fs::weakly_canonical(model);
  const fs::path run = whole.parent_path().parent_path();
  std::set<std::string> seen;
  std::vector<std::string> commands;
  AddCommands(run, whole.lexically_relative(run).string(), seen, commands);
  return commands;
}

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

// Takes over what does not change when a model is grounded again. An entry may also be packed again
// as it is, for a new signature, card and picture.
void TakeOver(const PackRequest& request, const net::Model& model, const core::Artifact& artifact,
              const core::ArtifactWriter& writer, PackedEntry& entry, json& fields) {
  const fs::path folder = FindModel(request.from);
  const core::Artifact earlier = net::OpenModelArtifact(folder);
  const json parents = artifact.manifest().value("parents", json::object());
  const json& manifest = earlier.manifest();
  const bool is_same = artifact.hash() == earlier.hash();
  // A model may also be grounded while the model that it came from is packed.
  const std::string parent = parents.value("model", "unknown");
  const std::string packed = manifest.value("parents", json::object()).value("model", "");
  if (!is_same && parent != earlier.hash() && parent != packed) {
    Fail("{} was not made from {}: its parent is {}, not {}", request.model, request.from, parent,
         earlier.hash());
  }
  if (manifest.contains("dataset")) fields["dataset"] = manifest["dataset"];
  if (is_same) {
    for (const char* name : {"parents", "model"}) fields[name] = manifest.at(name);
  }
  for (const json& command : manifest.value("commands", json::array())) {
    entry.commands.push_back(command);
  }
  if (!is_same) {
    entry.commands.push_back(
        fmt::format("rhumb {} {} --out {} --seed {}", artifact.manifest().value("command", "?"),
                    NameOf(folder), NameOf(request.model), artifact.manifest().value("seed", 0)));
  }
  if (const fs::path held_out = folder / "held_out.safetensors"; fs::exists(held_out)) {
    entry.held_out_policies =
        static_cast<int>(eval::ReadHeldOut(held_out, model, "held_out").size());
    core::CopyFile(held_out, writer.file("held_out.safetensors"));
  }
  // Tasks that the request names replace those of the entry.
  if (const fs::path tasks = folder / "tasks.jsonl"; request.tasks.empty() && fs::exists(tasks)) {
    entry.tasks = static_cast<int>(eval::ReadTasks(tasks, model).size());
    core::CopyFile(tasks, writer.file("tasks.jsonl"));
  }
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
  entry.commands = CommandsBehind(folder);
  json fields = {{"command", "zoo pack"},
                 {"seed", request.seed},
                 {"parents", {{"model", artifact.hash()}}},
                 {"model", OriginOf(artifact)}};
  core::ArtifactWriter writer(request.out, artifact.kind());
  if (!request.from.empty()) TakeOver(request, model, artifact, writer, entry, fields);
  if (!entry.commands.empty()) fields["commands"] = entry.commands;
  if (!request.data.empty()) {
    const data::Dataset dataset = OpenDataset(request.data, model);
    entry.held_out_policies =
        eval::WriteHeldOut(dataset, model, request.seed, writer.file("held_out.safetensors"));
    fields["parents"]["dataset"] = dataset.artifact().hash();
    fields["dataset"] = OriginOf(dataset.artifact());
  }
  if (!request.tasks.empty()) {
    entry.tasks = static_cast<int>(eval::ReadTasks(request.tasks, model).size());
    core::CopyFile(request.tasks, writer.file("tasks.jsonl"));
  }
  for (const char* name : {"model.safetensors", "model.json"}) {
    core::CopyFile(artifact.file(name), writer.file(name));
  }
  core::WriteBundle(model.description.environment, writer);
  core::WriteFileAtomically(writer.file("signature.json"), SignModel(model).dump() + "\n");
  core::WriteFileAtomically(writer.file("README.md"), WriteCard(model, NameOf(request.out), entry));
  report::DrawPicture("model.py", eval::DescribeMap(model), writer.file("map.png"));
  MakeLayout(model, writer.file(kLayoutFile));
  entry.bytes = CountBytes(writer.file("README.md").parent_path());
  if (entry.bytes > kMaxEntryBytes) {
    Fail("{} would have {} bytes; a zoo entry may have at most {}", request.out.string(),
         entry.bytes, kMaxEntryBytes);
  }
  writer.Commit(fields);
  return entry;
}

}  // namespace rhumb::zoo
