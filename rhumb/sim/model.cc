#include "rhumb/sim/model.h"

#include <fstream>
#include <mutex>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/log.h"
#include "rhumb/core/path.h"
#include "rhumb/core/text.h"

namespace rhumb::sim {
namespace {

constexpr std::uintmax_t kMaxModelBytes = 64 << 20;

// MuJoCo's default handler prints every warning and writes a log file into the working directory.
// Divergence is our own business (simulation.h), so its warnings go to the debug log.
void HandleMujocoMessage(const mjLogMessage* message) {
  if (message->level >= mjLOG_ERROR) {
    core::LogError("MuJoCo: {}", message->subject);
  } else {
    core::LogDebug("MuJoCo: {}", message->subject);
  }
}

std::string ReadText(const std::filesystem::path& file) {
  if (std::filesystem::file_size(file) > kMaxModelBytes) {
    Fail("MJCF '{}' has more than {} bytes", file.string(), kMaxModelBytes);
  }
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) Fail("MJCF '{}' cannot be read", file.string());
  return text.str();
}

// MuJoCo follows include, mesh, texture and directory attributes wherever they lead; a robot from
// elsewhere must not reach files outside its own folder.
void RefuseOutsideReferences(const std::filesystem::path& folder, const std::string& name,
                             std::string_view place, std::set<std::string>& seen) {
  if (!seen.insert(name).second) return;
  const std::filesystem::path file = core::ResolveInside(folder, name, place);
  const std::string text = ReadText(file);
  static const std::regex kReference(
      R"re((file|fileright|fileleft|fileup|filedown|filefront|fileback|meshdir|texturedir|assetdir|dir)\s*=\s*["']([^"']*)["'])re");
  for (std::sregex_iterator it(text.begin(), text.end(), kReference), end; it != end; ++it) {
    const std::filesystem::path target((*it)[2].str());
    bool outside = target.is_absolute();
    for (const auto& part : target) outside = outside || part == "..";
    if (outside) {
      Fail("{}: '{}' refers to '{}', which lies outside its folder '{}'", place, name,
           target.string(), folder.string());
    }
  }
  static const std::regex kInclude(R"re(<include\s+file\s*=\s*["']([^"']*)["'])re");
  for (std::sregex_iterator it(text.begin(), text.end(), kInclude), end; it != end; ++it) {
    RefuseOutsideReferences(folder, (*it)[1].str(), place, seen);
  }
}

struct FieldEntry {
  const char* name;
  mjtNum* mjData::*array;
  mjtSize mjModel::*rows;
  int width;
};

// What a spec may read; sizes as MuJoCo documents them in mjData.
constexpr FieldEntry kFields[] = {
    {"qpos", &mjData::qpos, &mjModel::nq, 1},
    {"qvel", &mjData::qvel, &mjModel::nv, 1},
    {"qacc", &mjData::qacc, &mjModel::nv, 1},
    {"act", &mjData::act, &mjModel::na, 1},
    {"ctrl", &mjData::ctrl, &mjModel::nu, 1},
    {"xpos", &mjData::xpos, &mjModel::nbody, 3},
    {"xquat", &mjData::xquat, &mjModel::nbody, 4},
    {"xipos", &mjData::xipos, &mjModel::nbody, 3},
    {"subtree_com", &mjData::subtree_com, &mjModel::nbody, 3},
    {"cinert", &mjData::cinert, &mjModel::nbody, 10},
    {"cvel", &mjData::cvel, &mjModel::nbody, 6},
    {"cacc", &mjData::cacc, &mjModel::nbody, 6},
    {"cfrc_int", &mjData::cfrc_int, &mjModel::nbody, 6},
    {"cfrc_ext", &mjData::cfrc_ext, &mjModel::nbody, 6},
    {"qfrc_actuator", &mjData::qfrc_actuator, &mjModel::nv, 1},
    {"qfrc_constraint", &mjData::qfrc_constraint, &mjModel::nv, 1},
    {"actuator_force", &mjData::actuator_force, &mjModel::nu, 1},
    {"actuator_length", &mjData::actuator_length, &mjModel::nu, 1},
    {"actuator_velocity", &mjData::actuator_velocity, &mjModel::nu, 1},
    {"sensordata", &mjData::sensordata, &mjModel::nsensordata, 1},
};

}  // namespace

ModelPointer LoadModel(const std::filesystem::path& folder, std::string_view name,
                       std::string_view place) {
  static std::once_flag handler_installed;
  std::call_once(handler_installed, [] { mju_setLogHandler(HandleMujocoMessage); });

  std::set<std::string> seen;
  RefuseOutsideReferences(folder, std::string(name), place, seen);
  const std::filesystem::path file = core::ResolveInside(folder, name, place);
  char message[1000] = "";
  ModelPointer model(mj_loadXML(file.c_str(), nullptr, message, sizeof message));
  if (!model) Fail("{}: MJCF '{}' does not compile: {}", place, file.string(), message);
  model->opt.disableflags |= mjDSBL_AUTORESET;
  return model;
}

Field FindField(const mjModel* model, std::string_view name, std::string_view place) {
  std::vector<std::string> known;
  for (const FieldEntry& entry : kFields) {
    if (entry.name == name) {
      return {entry.name, entry.array, static_cast<int>(model->*entry.rows) * entry.width};
    }
    known.emplace_back(entry.name);
  }
  Fail("{}: unknown MuJoCo array '{}'{}", place, name, core::Suggestion(name, known));
}

int FindObject(const mjModel* model, mjtObj type, std::string_view name, std::string_view place) {
  const int id = mj_name2id(model, type, std::string(name).c_str());
  if (id >= 0) return id;
  const mjtSize count = type == mjOBJ_BODY   ? model->nbody
                        : type == mjOBJ_SITE ? model->nsite
                                             : model->nsensor;
  std::vector<std::string> known;
  for (int i = 0; i < count; ++i) {
    if (const char* other = mj_id2name(model, type, i)) known.emplace_back(other);
  }
  Fail("{}: the model has no {} '{}'{}", place, mju_type2Str(type), name,
       core::Suggestion(name, known));
}

}  // namespace rhumb::sim
