// Some elements of a MuJoCo array, resolved against a model: "the qpos of joint 'knee'".
#pragma once

#include "rhumb/sim/model.h"
#include "rhumb/sim/spec.h"

namespace rhumb::sim {

struct Slice {
  Field field;
  int begin = 0;
  int count = 0;

  const mjtNum* Of(const mjData* data) const { return data->*field.array + begin; }
  mjtNum* Of(mjData* data) const { return data->*field.array + begin; }
};

// Throws Error if the model lacks the named object, if the array has no elements for such an
// object, or if the elements are out of range.
Slice FindSlice(const mjModel* model, const SliceSpec& spec);

}  // namespace rhumb::sim
