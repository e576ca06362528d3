// Model folders: reads and writes the arrays, and checks that the parts of a model agree.
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/net/model.h"
#include "rhumb/net/model_card.h"
#include "rhumb/net/model_json.h"

namespace rhumb::net {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kKind = "model";
constexpr const char* kArrays = "model.safetensors";
constexpr const char* kDocument = "model.json";
constexpr const char* kCard = "README.md";
constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{64} << 20;

std::string GroundingPrefix(std::size_t mode) {
  return fmt::format("grounded.{}.", NameOf(static_cast<RolloutMode>(mode)));
}

void WriteTable(const CodeTable& table, SafetensorsWriter& out, const std::string& prefix) {
  const std::int64_t count = table.count();
  out.Add(prefix + "codes", {count, table.code_size}, std::span(table.codes));
  out.Add(prefix + "values", {count, table.objectives}, std::span(table.values));
  if (!table.deviations.empty()) {
    out.Add(prefix + "deviations", {count, table.objectives}, std::span(table.deviations));
  }
  if (!table.policies.empty()) out.Add(prefix + "policies", {count}, std::span(table.policies));
  if (!table.agents.empty()) out.Add(prefix + "agents", {count}, std::span(table.agents));
}

// One integer per code; empty if the file does not have the array.
std::vector<std::int64_t> ReadOwners(const SafetensorsFile& in, const std::string& name,
                                     std::int64_t count) {
  if (!in.Has(name)) return {};
  std::vector<std::int64_t> owners = in.Integers(name);
  if (in.shape(name) != std::vector<std::int64_t>{count}) {
    Fail("{}: '{}' has {} elements for {} codes", in.place(), name, owners.size(), count);
  }
  return owners;
}

CodeTable ReadTable(const SafetensorsFile& in, const std::string& prefix, int code_size,
                    int objectives) {
  CodeTable table;
  table.code_size = code_size;
  table.objectives = objectives;
  table.codes = in.Floats(prefix + "codes");
  const std::int64_t count = static_cast<std::int64_t>(table.codes.size()) / code_size;
  table.codes = in.Floats(prefix + "codes", {count, code_size});
  table.values = in.Floats(prefix + "values", {count, objectives});
  if (count == 0) Fail("{}: '{}codes' is empty", in.place(), prefix);
  if (in.Has(prefix + "deviations")) {
    table.deviations = in.Floats(prefix + "deviations", {count, objectives});
  }
  table.policies = ReadOwners(in, prefix + "policies", count);
  table.agents = ReadOwners(in, prefix + "agents", count);
  return table;
}

// The arrays that turn a code and an observation into an action.
void WritePolicy(const Model& model, SafetensorsWriter& out) {
  model.observations.Write(out, "observations.");
  const std::int64_t actions = model.action_size();
  out.Add("action_centre", {actions}, std::span(model.action_centre));
  out.Add("action_half_range", {actions}, std::span(model.action_half_range));
  model.decoder.Write(out, "decoder.");
}

void WriteArrays(const Model& model, SafetensorsWriter& out) {
  WritePolicy(model, out);
  model.encoder.Write(out, "encoder.");
  model.projections.Write(out, "projections.");
  model.heads.Write(out, "heads.");
  WriteTable(model.training, out, "training.");
  out.Add("map.mean", {model.code_size()}, std::span(model.map.mean));
  out.Add("map.directions", {2, model.code_size()}, std::span(model.map.directions));
  for (std::size_t mode = 0; mode < model.grounded.size(); ++mode) {
    if (!model.grounded[mode]) continue;
    WriteTable(model.grounded[mode]->rolled_out, out, GroundingPrefix(mode) + "rolled_out.");
  }
}

// Throws Error unless `what` has the same size as the rest of the model.
void CheckEqual(int is, int wanted, const char* what, const SafetensorsFile& in) {
  if (is != wanted)
    Fail("{}: {} is {}, the rest of the model has {}", in.place(), what, is, wanted);
}

// Fills in the arrays of a model that was read from its document. The decoder and the objectives
// determine the sizes.
void ReadArrays(const SafetensorsFile& in, Model& model) {
  model.decoder = Decoder::Read(in, "decoder.", model.decoder.deviation_source);
  const int actions = model.action_size();
  const int code_size = model.code_size();
  const auto objectives = static_cast<int>(model.description.objectives.size());
  model.observations = Normaliser::Read(in, "observations.", model.observation_size());
  model.action_centre = in.Floats("action_centre", {actions});
  model.action_half_range = in.PositiveFloats("action_half_range", {actions});

  model.encoder = SetEncoder::Read(in, "encoder.", model.encoder.pooling, model.encoder.heads);
  CheckEqual(model.encoder.token_size(), model.observation_size() + actions,
             "the size of the encoder's tokens", in);
  CheckEqual(model.encoder.code_size(), code_size, "the size of the encoder's codes", in);

  model.projections = Projections::Read(in, "projections.");
  CheckEqual(model.projections.code_size, code_size, "the size of the projections' codes", in);
  CheckEqual(model.projections.labels, model.description.shaping_labels,
             "the number of projections", in);
  if (model.description.shaping_labels > objectives) {
    Fail("{}: {} labels shaped the map, but there are {} objectives", in.place(),
         model.description.shaping_labels, objectives);
  }
  model.heads = LinearHeads::Read(in, "heads.");
  CheckEqual(model.heads.code_size, code_size, "the size of the heads' codes", in);
  CheckEqual(model.heads.objectives, objectives, "the number of heads", in);

  model.training = ReadTable(in, "training.", code_size, objectives);
  model.map.mean = in.Floats("map.mean", {code_size});
  model.map.directions = in.Floats("map.directions", {2, code_size});
  for (std::size_t mode = 0; mode < model.grounded.size(); ++mode) {
    if (!model.grounded[mode]) continue;
    Grounding& grounding = *model.grounded[mode];
    grounding.rolled_out =
        ReadTable(in, GroundingPrefix(mode) + "rolled_out.", code_size, objectives);
    if (grounding.rolled_out.deviations.empty()) {
      Fail("{}: '{}rolled_out.deviations' is missing", in.place(), GroundingPrefix(mode));
    }
  }
}

// Models of earlier versions also hold networks that were fitted to the rollouts. Nothing needs
// them.
bool IsOutdated(const std::string& name) {
  for (std::size_t mode = 0; mode < kRolloutModeCount; ++mode) {
    if (name.starts_with(GroundingPrefix(mode) + "heads.")) return true;
    if (name == GroundingPrefix(mode) + "calibration") return true;
  }
  return false;
}

// Throws Error if the file has unused arrays. They indicate a missing array: without a network's
// last layer but one, its last layer would not be read.
void CheckNothingIsLeft(const SafetensorsFile& in, const Model& model) {
  SafetensorsWriter read;
  WriteArrays(model, read);
  for (const std::string& name : in.names()) {
    if (!read.Has(name) && !IsOutdated(name))
      Fail("{}: '{}' is not an array of this model", in.place(), name);
  }
}

Model ReadParts(const json& document, const std::string& place, const fs::path& arrays_path) {
  Model model = ModelFromJson(document, place);
  const SafetensorsFile arrays(arrays_path);
  ReadArrays(arrays, model);
  CheckNothingIsLeft(arrays, model);
  CheckSizes(document, model, place);
  return model;
}

}  // namespace

std::string HashOfCodes(const Model& model) {
  SafetensorsWriter policy;
  WritePolicy(model, policy);
  policy.SetMetadata("environment", model.description.environment.hash());
  return core::Sha256(policy.Bytes());
}

core::Artifact OpenModelArtifact(const fs::path& folder) {
  return core::Artifact::Open(folder, kKind);
}

Model ReadModel(const fs::path& folder) {
  const core::Artifact artifact = OpenModelArtifact(folder);
  artifact.Verify();
  const fs::path file = artifact.file(kDocument);
  const json document = core::ReadJson(file, kMaxDocumentBytes);
  Model model = ReadParts(document, file.string(), artifact.file(kArrays));
  model.description.environment = core::ReadBundle(document.at("environment"), artifact);
  return model;
}

void WriteModel(const Model& model, const fs::path& folder, core::Existing existing,
                const json& manifest, const std::function<void(core::ArtifactWriter&)>& add_files) {
  core::ArtifactWriter writer(folder, kKind, existing);
  SafetensorsWriter arrays;
  WriteArrays(model, arrays);
  const json document = ModelToJson(model);
  core::WriteFileAtomically(writer.file(kArrays), arrays.Bytes());
  core::WriteFileAtomically(writer.file(kDocument), core::DumpJson(document, 2) + "\n");
  try {
    const fs::path file = writer.file(kDocument);
    ReadParts(core::ReadJson(file, kMaxDocumentBytes), file.string(), writer.file(kArrays));
  } catch (const Error& error) {
    Fail("cannot write {}: {}", folder.string(), error.what());
  }
  core::WriteBundle(model.description.environment, writer);
  core::WriteFileAtomically(writer.file(kCard), WriteModelCard(model));
  if (add_files) add_files(writer);
  writer.Commit(manifest);
}

}  // namespace rhumb::net
