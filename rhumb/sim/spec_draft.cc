#include "rhumb/sim/spec_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/text.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/model.h"

namespace rhumb::sim {
namespace {

constexpr double kControlStep = 0.02;  // seconds, about
constexpr int kTimeLimit = 500;
constexpr double kNoise = 0.01;  // of the start
// The random actions that scale the energy.
constexpr int kSimulations = 4, kSteps = 200;

// How the robot's first body hangs in the world.
struct Base {
  int body = 0;
  char axis = 'x';       // along which it travels
  bool travels = false;  // along the ground
  bool rises = false;    // free to move up and down
  int hidden = 0;        // leading elements of qpos that only say where on the ground it is
};

// A JSON string is also a TOML string.
std::string Quoted(std::string_view text) {
  return nlohmann::json(core::Printable(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string NameOf(const mjModel* model, mjtObj type, int index) {
  const char* name = mj_id2name(model, type, index);
  return name == nullptr ? "" : name;
}

bool IsDriven(const mjModel* model, int joint) {
  for (int i = 0; i < model->nu; ++i) {
    const int kind = model->actuator_trntype[i];
    if ((kind == mjTRN_JOINT || kind == mjTRN_JOINTINPARENT) &&
        model->actuator_trnid[2 * i] == joint) {
      return true;
    }
  }
  return false;
}

// The axis that a slide joint mostly moves along in the default pose.
char AxisOf(const mjModel* model, int joint) {
  mjtNum axis[3];
  mju_rotVecQuat(axis, model->jnt_axis + 3 * joint,
                 model->body_quat + 4 * model->jnt_bodyid[joint]);
  const auto largest = std::max_element(
      axis, axis + 3, [](mjtNum a, mjtNum b) { return std::abs(a) < std::abs(b); });
  return static_cast<char>('x' + (largest - axis));
}

// The heaviest part of the model that hangs in the world and has joints.
Base FindBase(const mjModel* model) {
  Base base;
  for (int body = 1; body < model->nbody; ++body) {
    const bool moves =
        std::any_of(model->jnt_bodyid, model->jnt_bodyid + model->njnt,
                    [&](int own) { return model->body_rootid[own] == model->body_rootid[body]; });
    if (model->body_parentid[body] != 0 || !moves) continue;
    if (base.body == 0 || model->body_subtreemass[body] > model->body_subtreemass[base.body]) {
      base.body = body;
    }
  }
  const int first = model->body_jntadr[base.body];
  for (int joint = first; joint >= 0 && joint < first + model->body_jntnum[base.body]; ++joint) {
    if (IsDriven(model, joint)) continue;
    const bool is_next = model->jnt_qposadr[joint] == base.hidden;
    if (model->jnt_type[joint] == mjJNT_FREE) {
      base.travels = base.rises = true;
      if (is_next) base.hidden += 2;
    } else if (model->jnt_type[joint] == mjJNT_SLIDE) {
      const char axis = AxisOf(model, joint);
      if (axis == 'z') {
        base.rises = true;
        continue;
      }
      if (!base.travels) base.axis = axis;
      base.travels = true;
      if (is_next) ++base.hidden;
    }
  }
  return base;
}

// The body with the most bodies above it; the first of equals.
int FindTip(const mjModel* model) {
  std::vector<int> depth(static_cast<std::size_t>(model->nbody), 0);
  for (std::size_t body = 1; body < depth.size(); ++body) {
    depth[body] = depth[static_cast<std::size_t>(model->body_parentid[body])] + 1;
  }
  return static_cast<int>(std::max_element(depth.begin(), depth.end()) - depth.begin());
}

// A row of `quantities`: the position of a body, or of the centre of mass if the body has no name.
std::string PositionRow(const mjModel* model, std::string_view name, int body, char axis,
                        std::string_view help) {
  const std::string called = NameOf(model, mjOBJ_BODY, body);
  if (called.empty()) {
    return fmt::format("  {{ name = \"{}\", centre_of_mass = \"{}\", help = \"{}, m\" }},\n", name,
                       axis, help);
  }
  return fmt::format("  {{ name = \"{}\", body = {}, axis = \"{}\", help = \"{}, m\" }},\n", name,
                     Quoted(called), axis, help);
}

double HeightAtStart(const mjModel* model, int body, int keyframe) {
  const DataPointer data(mj_makeData(model));
  if (keyframe >= 0) mj_resetDataKeyframe(model, data.get(), keyframe);
  mj_kinematics(model, data.get());
  return data->xpos[3 * body + 2];
}

std::string HealthComment(const mjModel* model, const Base& base, int keyframe) {
  const double height = HeightAtStart(model, base.body, keyframe);
  if (!base.rises || !(height > 0)) return "";
  return fmt::format(
      "\n# Without this an episode never ends early. If the robot can fall, uncomment it, and pay "
      "for each step\n# that it stands: expression = \"{}_velocity + alive\".\n# health = [\n#   "
      "{{ quantity = \"height\", range = [{:.2g}, {:.2g}] }},   # it starts at {:.2g} m\n# ]\n",
      base.axis, 0.6 * height, 1.6 * height, height);
}

std::string WriteSpec(const mjModel* model, std::string_view id, std::string_view mjcf,
                      double energy_factor) {
  const Base base = FindBase(model);
  const bool has_keyframe = model->nkey > 0 && !NameOf(model, mjOBJ_KEY, 0).empty();
  const int keyframe = has_keyframe ? 0 : -1;
  const int frame_skip =
      static_cast<int>(std::clamp(std::round(kControlStep / model->opt.timestep), 1.0, 1000.0));

  std::string text = fmt::format(
      "# A draft by `rhumb envs draft`: what the model says, and guesses. docs/your-own-robot.md "
      "explains each key.\nid = {0}\ntitle = {0}\ndescription = \"\"\nmodel = {1}\n"
      "frame_skip = {2}        # physics steps of {3:g} s per control step\n"
      "time_limit = {4}      # control steps per episode\n",
      Quoted(id), Quoted(mjcf), frame_skip, model->opt.timestep, kTimeLimit);
  if (std::any_of(model->actuator_ctrllimited, model->actuator_ctrllimited + model->nu,
                  [](mjtBool limited) { return !limited; })) {
    text += "action_range = [-1, 1] # a guess: some actuators have no ctrlrange\n";
  }

  text += "\nquantities = [\n";
  const std::string speed = fmt::format("{}_velocity", base.axis);
  if (base.travels) {
    text += PositionRow(model, std::string(1, base.axis), base.body, base.axis, "position");
    text += fmt::format("  {{ name = \"{}\", rate_of = \"{}\", help = \"speed, m/s\" }},\n", speed,
                        base.axis);
  } else {
    text += PositionRow(model, "tip_x", FindTip(model), 'x', "position of the tip");
  }
  if (base.rises) text += PositionRow(model, "height", base.body, 'z', "height");
  text += "]\n";

  text += fmt::format(
      "\n# The input of a policy{}.\nobservation = [\n  {{ field = \"qpos\"{} }},\n"
      "  {{ field = \"qvel\", clip = [-20, 20] }},\n",
      base.hidden > 0 ? "; where the robot is on the ground is left out" : "",
      base.hidden > 0 ? fmt::format(", skip = {}", base.hidden) : "");
  if (model->nsensordata > 0) {
    text += fmt::format("  # {{ field = \"sensordata\" }},   # {} numbers of the model's sensors\n",
                        model->nsensordata);
  }
  text += "]\n" + HealthComment(model, base, keyframe);
  text += fmt::format(
      "\n# Numbers of whole episodes. `rhumb model add-attribute` lets a model be steered by them "
      "too.\nattributes = [\n{}"
      "  {{ name = \"action_rate\", expression = \"mean(action_rate)\", unit = \"squared change "
      "per step\" }},\n]\n\n[reset]\n{}qpos = {{ uniform = {} }}\nqvel = {{ normal = {} }}\n",
      base.rises ? "  { name = \"mean_height\", expression = \"mean(height)\", unit = \"m\" },\n"
                 : "",
      has_keyframe ? fmt::format("keyframe = {}\n", Quoted(NameOf(model, mjOBJ_KEY, 0))) : "",
      kNoise, kNoise);

  // The model does not tell what an arm is for.
  text += fmt::format(
      "\n# Every objective is maximised, so a cost has a minus.{0}\n[[rewards.standard]]\n"
      "name = \"{1}\"\nexpression = \"{2}\"\nunit = \"{3} summed over steps\"\n"
      "\n# The factor makes random actions cost what they move in either direction. If trained "
      "agents stand "
      "still, make\n# it smaller.\n[[rewards.standard]]\nname = \"energy\"\n"
      "expression = \"-{4:g} * sum_sq_action\"\nunit = \"{4:g} squared control summed over "
      "steps\"\n",
      base.travels ? "" : " This robot does not travel: write what it should do.",
      base.travels ? "forward" : "reach", base.travels ? speed : "tip_x",
      base.travels ? "m/s" : "m", energy_factor);
  const std::string followed = NameOf(model, mjOBJ_BODY, base.body);
  if (!followed.empty()) text += fmt::format("\n[camera]\nbody = {}\n", Quoted(followed));
  return text;
}

// 0.0372 -> 0.04.
double OneDigit(double x) { return std::stod(fmt::format("{:.0e}", x)); }

// How much larger the first objective of random actions is than their squares; 1 if that cannot be
// told.
double EnergyFactor(const core::EnvironmentBundle& bundle) {
  const Environment environment(bundle);
  Batch batch(environment, {.count = kSimulations});
  batch.Reset();
  core::Stream noise(0, core::Purpose::kBenchmark);
  std::vector<double> actions(static_cast<std::size_t>(kSimulations * environment.action_size()));
  double moved = 0, spent = 0;
  for (int step = 0; step < kSteps; ++step) {
    for (double& action : actions) action = noise.Uniform(-1, 1);
    batch.Step(actions);
    for (std::size_t i = 0; i < kSimulations; ++i) {
      moved += std::abs(batch.rewards()[2 * i]);
      spent += std::abs(batch.rewards()[2 * i + 1]);
    }
  }
  const double factor = moved / spent;
  return std::isfinite(factor) && factor > 0 ? OneDigit(factor) : 1;
}

}  // namespace

core::EnvironmentBundle DraftSpec(const std::filesystem::path& folder, std::string_view mjcf,
                                  const std::string& spec_name) {
  core::EnvironmentBundle bundle;
  bundle.spec = spec_name;
  bundle.rewards = "standard";
  bundle.id = std::filesystem::path(spec_name).stem().string();
  // Two robots of one name would be taken for each other.
  const std::vector<std::string> known = KnownIds();
  if (std::find(known.begin(), known.end(), bundle.id) != known.end()) bundle.id += "-own";
  bundle.files = CollectFiles(folder, mjcf, mjcf);
  const ModelPointer model = CompileModel(bundle.files, mjcf, mjcf);
  if (model->nu == 0) Fail("{}: the model has no actuator, so nothing could act", mjcf);
  if (model->njnt == 0) Fail("{}: the model has no joint, so nothing could move", mjcf);
  bundle.files[spec_name] = WriteSpec(model.get(), bundle.id, mjcf, 1);
  bundle.files[spec_name] = WriteSpec(model.get(), bundle.id, mjcf, EnergyFactor(bundle));
  return bundle;
}

}  // namespace rhumb::sim
