#include "rhumb/sim/slice.h"

#include <array>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::sim {
namespace {

// Sizes by joint type, in the order of mjtJoint: free, ball, slide, hinge.
constexpr std::array kPositionSizes = {7, 4, 1, 1};
constexpr std::array kVelocitySizes = {6, 3, 1, 1};

struct Elements {
  int begin = 0;
  int count = 0;  // 0: the array has no elements for this object
};

// Positions of the joints from `joint` on, which are contiguous.
Elements PositionsOf(const mjModel* model, int joint, int joints) {
  if (joints == 0) return {};
  Elements found{model->jnt_qposadr[joint], 0};
  for (int j = joint; j < joint + joints; ++j) {
    found.count += kPositionSizes[static_cast<std::size_t>(model->jnt_type[j])];
  }
  return found;
}

// The elements of an array that belong to one object. Arrays are told apart by their rows.
Elements ElementsOf(const mjModel* model, const Field& field, mjtObj type, int id) {
  const auto row = [&](int index) { return Elements{index * field.width, field.width}; };
  if (type == mjOBJ_JOINT) {
    if (field.rows == &mjModel::nq) return PositionsOf(model, id, 1);
    if (field.rows == &mjModel::nv) {
      return {model->jnt_dofadr[id], kVelocitySizes[static_cast<std::size_t>(model->jnt_type[id])]};
    }
  }
  if (type == mjOBJ_BODY) {
    if (field.rows == &mjModel::nbody) return row(id);
    if (field.rows == &mjModel::nq) {
      return PositionsOf(model, model->body_jntadr[id], model->body_jntnum[id]);
    }
    if (field.rows == &mjModel::nv) return {model->body_dofadr[id], model->body_dofnum[id]};
    if (field.rows == &mjModel::nmocap && model->body_mocapid[id] >= 0) {
      return row(model->body_mocapid[id]);
    }
  }
  if (type == mjOBJ_SITE && field.rows == &mjModel::nsite) return row(id);
  if (type == mjOBJ_SENSOR && field.rows == &mjModel::nsensordata) {
    return {model->sensor_adr[id], model->sensor_dim[id]};
  }
  if (type == mjOBJ_ACTUATOR) {
    if (field.rows == &mjModel::nu) {
      return {model->actuator_ctrladr[id], model->actuator_ctrlnum[id]};
    }
    if (field.rows == &mjModel::nout) {
      return {model->actuator_outadr[id], model->actuator_outnum[id]};
    }
    if (field.rows == &mjModel::na) {
      return {model->actuator_actadr[id], model->actuator_actnum[id]};
    }
  }
  return {};
}

}  // namespace

Slice FindSlice(const mjModel* model, const SliceSpec& spec) {
  const Field field = FindField(model, spec.field, spec.place);
  std::string what = fmt::format("'{}'", spec.field);
  Elements elements{0, field.size};
  if (!spec.object.empty()) {
    const auto type = static_cast<mjtObj>(mju_str2Type(spec.object_type.c_str()));
    elements = ElementsOf(model, field, type, FindObject(model, type, spec.object, spec.place));
    what += fmt::format(" of {} '{}'", spec.object_type, spec.object);
    if (elements.count == 0) Fail("{}: there is no {}", spec.place, what);
  }
  const int count = spec.count.value_or(elements.count - spec.skip);
  if (count < 1 || spec.skip + count > elements.count) {
    const std::string asked =
        count > 1 ? fmt::format("elements {} to {}", spec.skip, spec.skip + count - 1)
                  : fmt::format("element {}", spec.skip);
    Fail("{}: {} has {} elements; asked for {}", spec.place, what, elements.count, asked);
  }
  return {field, elements.begin + spec.skip, count};
}

}  // namespace rhumb::sim
