#include "rhumb/sim/model.h"

#include <algorithm>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"
#include "rhumb/sim/robot_compiler.h"

namespace rhumb::sim {
namespace {

struct FieldEntry {
  const char* name;
  mjtNum* mjData::*array;
  mjtSize mjModel::*rows;
  int width;
};

// The arrays that a spec may read. Sizes as documented in mjData.
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
    {"actuator_force", &mjData::actuator_force, &mjModel::nout, 1},
    {"actuator_length", &mjData::actuator_length, &mjModel::nout, 1},
    {"actuator_velocity", &mjData::actuator_velocity, &mjModel::nout, 1},
    {"site_xpos", &mjData::site_xpos, &mjModel::nsite, 3},
    {"mocap_pos", &mjData::mocap_pos, &mjModel::nmocap, 3},
    {"mocap_quat", &mjData::mocap_quat, &mjModel::nmocap, 4},
    {"sensordata", &mjData::sensordata, &mjModel::nsensordata, 1},
};

}  // namespace

ModelPointer CompileModel(const RobotFiles& files, std::string_view name, std::string_view place,
                          const CompileOptions& options) {
  const auto find = [&](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? nullptr : &found->second;
  };
  ModelPointer model = CompileRobot(find, name, place, options);
  model->opt.disableflags |= mjDSBL_AUTORESET;
  return model;
}

Field FindField(const mjModel* model, std::string_view name, std::string_view place) {
  const FieldEntry& entry = kFields[core::FindNamed(
      kFields, name, fmt::format("{}: unknown MuJoCo array '{}'", place, name))];
  return {entry.name, entry.array, entry.rows, entry.width,
          static_cast<int>(model->*entry.rows) * entry.width};
}

int FindObject(const mjModel* model, mjtObj type, std::string_view name, std::string_view place) {
  const int id = mj_name2id(model, type, std::string(name).c_str());
  if (id >= 0) return id;
  // mj_id2name is null for an unnamed object as well as beyond the last one.
  const mjtSize most = std::max({model->nbody, model->njnt, model->nsite, model->nsensor,
                                 model->nactuator, model->ngeom, model->nkey});
  std::vector<std::string> known;
  for (int i = 0; i < most; ++i) {
    const char* other = mj_id2name(model, type, i);
    if (other != nullptr && *other != '\0') known.emplace_back(other);
  }
  Fail("{}: the model has no {} '{}'{}", place, mju_type2Str(type), name,
       core::Suggestion(name, known));
}

}  // namespace rhumb::sim
