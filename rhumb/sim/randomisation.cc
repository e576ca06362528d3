#include "rhumb/sim/randomisation.h"

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"

namespace rhumb::sim {
namespace {

// Units of the stream: the model, the noise of each step, then the pushes in order.
constexpr int kModelUnit = 0;
constexpr int kNoiseUnit = 1;
constexpr int kFirstPushUnit = 2;

core::Stream StreamOf(std::uint64_t seed, int unit, std::int64_t step = 0) {
  return {seed, core::Purpose::kRandomisation, unit, /*episode=*/0, step};
}

// Multiplies `width` numbers of each chosen row by the factor; rows are `stride` apart.
void Multiply(mjtNum* rows, mjtSize count, int stride, int width, int object, double factor) {
  for (mjtSize row = 0; row < count; ++row) {
    if (object >= 0 && object != row) continue;
    for (int i = 0; i < width; ++i) rows[row * stride + i] *= factor;
  }
}

// force = gain * control + bias holds for these types; a factor on both is one on the force.
void RequireLinear(const mjModel* model, int object, std::string_view place) {
  for (int i = 0; i < model->nactuator; ++i) {
    if (object >= 0 && object != i) continue;
    const bool linear = (model->actuator_gaintype[i] == mjGAIN_FIXED ||
                         model->actuator_gaintype[i] == mjGAIN_AFFINE) &&
                        (model->actuator_biastype[i] == mjBIAS_NONE ||
                         model->actuator_biastype[i] == mjBIAS_AFFINE);
    if (linear) continue;
    const char* name = mj_id2name(model, mjOBJ_ACTUATOR, i);
    Fail("{}: the gain of actuator {} ('{}') cannot be scaled; its type is not fixed or affine",
         place, i, name == nullptr ? "" : name);
  }
}

}  // namespace

std::uint64_t DrawEpisodeSeed(core::Stream& stream) { return 1 + (stream.Bits64() >> 11); }

std::vector<Randomisation::Scale> Randomisation::FindScales(const std::vector<ScaleSpec>& specs,
                                                            const mjModel* model, mjtObj type) {
  std::vector<Scale> scales;
  for (const ScaleSpec& spec : specs) {
    const int object = spec.object.empty() ? -1 : FindObject(model, type, spec.object, spec.place);
    if (type == mjOBJ_ACTUATOR) RequireLinear(model, object, spec.place);
    scales.push_back({object, spec.factor});
  }
  return scales;
}

Randomisation::Randomisation(const RandomisationSpec& spec, const mjModel* model,
                             double control_step, const std::vector<std::string>& fields)
    : masses_(FindScales(spec.mass, model, mjOBJ_BODY)),
      frictions_(FindScales(spec.friction, model, mjOBJ_GEOM)),
      gains_(FindScales(spec.gain, model, mjOBJ_ACTUATOR)),
      delay_(spec.delay) {
  for (const ObservationNoiseSpec& noise : spec.observation) {
    const std::size_t before = noise_.size();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!noise.field.empty() && noise.field != fields[i]) continue;
      noise_.push_back({static_cast<int>(i), noise.distribution});
    }
    if (noise_.size() == before) {
      Fail("{}: '{}' is not observed, so it can have no noise", noise.place, noise.field);
    }
  }
  const auto steps = [&](double seconds) {
    return std::max(1, static_cast<int>(std::lround(seconds / control_step)));
  };
  for (const PushSpec& push : spec.pushes) {
    pushes_.push_back({FindObject(model, mjOBJ_BODY, push.body, push.place), steps(push.period_s),
                       steps(push.duration_s), push.force});
  }
}

void Randomisation::ChangeModel(const mjModel* nominal, std::uint64_t seed, mjModel* own,
                                mjData* scratch) const {
  std::copy_n(nominal->body_mass, nominal->nbody, own->body_mass);
  std::copy_n(nominal->body_inertia, 3 * nominal->nbody, own->body_inertia);
  std::copy_n(nominal->geom_friction, 3 * nominal->ngeom, own->geom_friction);
  std::copy_n(nominal->pair_friction, 5 * nominal->npair, own->pair_friction);
  std::copy_n(nominal->actuator_gainprm, mjNGAIN * nominal->nactuator, own->actuator_gainprm);
  std::copy_n(nominal->actuator_biasprm, mjNBIAS * nominal->nactuator, own->actuator_biasprm);
  std::copy_n(nominal->actuator_delay, nominal->nactuator, own->actuator_delay);

  if (seed != kNotRandomised) {
    core::Stream stream = StreamOf(seed, kModelUnit);
    for (const Scale& mass : masses_) {
      const double factor = mass.factor.Draw(stream);
      Multiply(own->body_mass, own->nbody, 1, 1, mass.object, factor);
      Multiply(own->body_inertia, own->nbody, 3, 3, mass.object, factor);
    }
    // Sliding friction only. A pair of geoms can have its own, in two directions.
    for (const Scale& friction : frictions_) {
      const double factor = friction.factor.Draw(stream);
      Multiply(own->geom_friction, own->ngeom, 3, 1, friction.object, factor);
      if (friction.object < 0) Multiply(own->pair_friction, own->npair, 5, 2, -1, factor);
    }
    for (const Scale& gain : gains_) {
      const double factor = gain.factor.Draw(stream);
      Multiply(own->actuator_gainprm, own->nactuator, mjNGAIN, mjNGAIN, gain.object, factor);
      Multiply(own->actuator_biasprm, own->nactuator, mjNBIAS, mjNBIAS, gain.object, factor);
    }
    if (delay_) {
      const double delay = delay_->Draw(stream);
      for (int i = 0; i < own->nactuator; ++i) own->actuator_delay[i] += delay;
    }
  }
  // Inertias in the default pose, which scale constraints, follow from the masses.
  if (!masses_.empty()) mj_setConst(own, scratch);
}

void Randomisation::Push(std::uint64_t seed, int step, mjData* data) const {
  for (const BodyPush& push : pushes_) std::fill_n(data->xfrc_applied + 6 * push.body, 6, 0.0);
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    const BodyPush& push = pushes_[i];
    const int unit = kFirstPushUnit + static_cast<int>(i);
    // Push number n begins in step first + n * period.
    const auto first = StreamOf(seed, unit).Below(static_cast<std::uint32_t>(push.period));
    const int since = step - static_cast<int>(first);
    if (since < 0 || since % push.period >= push.duration) continue;
    core::Stream stream = StreamOf(seed, unit, 1 + since / push.period);
    for (int axis = 0; axis < 3; ++axis) {
      data->xfrc_applied[6 * push.body + axis] += push.force.Draw(stream);
    }
  }
}

void Randomisation::AddNoise(std::uint64_t seed, int step, double* observation) const {
  core::Stream stream = StreamOf(seed, kNoiseUnit, step);
  for (const Noise& noise : noise_) observation[noise.index] += noise.distribution.Draw(stream);
}

}  // namespace rhumb::sim
