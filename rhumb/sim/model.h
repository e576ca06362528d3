// A robot's MuJoCo model, read from MJCF.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string_view>

#include "rhumb/sim/robot_files.h"

namespace rhumb::sim {

// Deletes an object of MuJoCo with its own function.
template <auto kDelete>
struct MujocoDeleter {
  void operator()(auto* object) const { kDelete(object); }
};
using ModelPointer = std::unique_ptr<mjModel, MujocoDeleter<mj_deleteModel>>;
using DataPointer = std::unique_ptr<mjData, MujocoDeleter<mj_deleteData>>;

struct CompileOptions {
  // Above 0, the controls can be delayed by that much: each actuator has a history of that length,
  // and its delay is unchanged.
  double max_delay_s = 0;
  // List what can touch the ground, where possible (contact_list.h). Steps are equal to the bit as
  // long as nobody changes the geoms' parameters in the model.
  bool list_contacts = false;
};

// Compiles the MJCF `name` of `files`, from memory only. MuJoCo's automatic reset of a diverged
// state is turned off; Simulation ends the episode instead. `place` is the origin of the request,
// for messages.
ModelPointer CompileModel(const RobotFiles& files, std::string_view name, std::string_view place,
                          const CompileOptions& options = {});

// One of mjData's arrays by its MuJoCo name: `width` numbers for each of the model's `rows`.
struct Field {
  std::string_view name;
  mjtNum* mjData::*array;
  mjtSize mjModel::*rows;
  int width;
  int size;  // of the whole array in this model
};

// Throws Error with the nearest known name if `name` is unknown.
Field FindField(const mjModel* model, std::string_view name, std::string_view place);

// Index of a named object: a body, joint, site, sensor, actuator, geom or keyframe. Throws Error
// with the nearest known name if unknown.
int FindObject(const mjModel* model, mjtObj type, std::string_view name, std::string_view place);

}  // namespace rhumb::sim
