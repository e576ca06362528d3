#include "rhumb/sim/contact_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace rhumb::sim {
namespace {

bool MayCollide(const mjModel* model, int a, int b) {
  return (model->geom_contype[a] & model->geom_conaffinity[b]) != 0 ||
         (model->geom_contype[b] & model->geom_conaffinity[a]) != 0;
}

// A body that is welded to the world cannot move, and MuJoCo ignores its contacts with the world.
bool Moves(const mjModel* model, int geom) {
  return model->body_dofnum[model->body_weldid[model->geom_bodyid[geom]]] > 0;
}

// The only geom of the world that anything may collide with, or -1.
int FindGround(const mjModel* model) {
  int ground = -1;
  for (int geom = 0; geom < model->ngeom; ++geom) {
    if (model->geom_bodyid[geom] != 0) continue;
    if (model->geom_contype[geom] == 0 && model->geom_conaffinity[geom] == 0) continue;
    if (ground >= 0) return -1;
    ground = geom;
  }
  return ground;
}

// The geoms that can touch the ground, in the order in which MuJoCo reports contacts: by body, and
// then by geom, which is the order of the geoms. Empty if other geoms may collide.
std::vector<int> FindTouching(const mjModel* model, int ground) {
  std::vector<int> touching;
  int types = 0, affinities = 0;
  for (int geom = 0; geom < model->ngeom; ++geom) {
    if (model->geom_bodyid[geom] == 0) continue;
    types |= model->geom_contype[geom];
    affinities |= model->geom_conaffinity[geom];
    if (MayCollide(model, ground, geom) && Moves(model, geom)) touching.push_back(geom);
  }
  if ((types & affinities) != 0) touching.clear();
  return touching;
}

// Whether the geoms agree in everything that weighs their parameters. Then each counts half, which
// is exact in floating point.
bool CountsEqually(const mjModel* model, int a, int b) {
  return model->geom_priority[a] == model->geom_priority[b] &&
         model->geom_solmix[a] == model->geom_solmix[b] && model->geom_adhesion[a] == 0 &&
         model->geom_adhesion[b] == 0;
}

// The parameters of a contact of two geoms that count equally, as in mj_contactParam of MuJoCo.
void SetParameters(const mjModel* from, int a, int b, int pair, mjModel* model) {
  const auto average = [&](const mjtNum* values, int width, mjtNum* out) {
    for (int i = 0; i < width; ++i) {
      out[i] = 0.5 * values[a * width + i] + 0.5 * values[b * width + i];
    }
  };
  model->pair_dim[pair] = std::max(from->geom_condim[a], from->geom_condim[b]);
  model->pair_margin[pair] = from->geom_margin[a] + from->geom_margin[b];
  model->pair_gap[pair] = from->geom_gap[a] + from->geom_gap[b];
  model->pair_adhesion[pair] = 0;

  // A stiffness and a damping, which are not positive, are not averaged.
  mjtNum* reference = model->pair_solref + mjNREF * pair;
  const mjtNum* reference_a = from->geom_solref + mjNREF * a;
  const mjtNum* reference_b = from->geom_solref + mjNREF * b;
  if (reference_a[0] > 0 && reference_b[0] > 0) {
    average(from->geom_solref, mjNREF, reference);
  } else {
    for (int i = 0; i < mjNREF; ++i) reference[i] = std::min(reference_a[i], reference_b[i]);
  }
  std::fill_n(model->pair_solreffriction + mjNREF * pair, mjNREF, 0.0);
  average(from->geom_solimp, mjNIMP, model->pair_solimp + mjNIMP * pair);

  // A geom has one number for sliding, spinning and rolling each; a pair has two for sliding and
  // two for rolling.
  constexpr int kKinds[] = {0, 0, 1, 2, 2};
  for (int i = 0; i < 5; ++i) {
    model->pair_friction[5 * pair + i] =
        std::max(from->geom_friction[3 * a + kKinds[i]], from->geom_friction[3 * b + kKinds[i]]);
  }
}

}  // namespace

std::vector<int> ListContacts(const mjModel* model, mjSpec* spec) {
  const int ground = FindGround(model);
  const bool simple = model->nmesh == 0 && model->nhfield == 0 && model->nflex == 0 &&
                      model->npair == 0 && model->nexclude == 0 && !model->flg_surfacevel &&
                      (model->opt.enableflags & mjENBL_SLEEP) == 0;
  if (ground < 0 || !simple) return {};
  std::vector<int> touching = FindTouching(model, ground);
  // MuJoCo does not search among fewer than two bodies.
  if (touching.empty() ||
      model->geom_bodyid[touching.front()] == model->geom_bodyid[touching.back()] ||
      !std::ranges::all_of(touching,
                           [&](int geom) { return CountsEqually(model, ground, geom); })) {
    return {};
  }

  std::vector<std::string> names(static_cast<std::size_t>(model->ngeom));
  for (mjsElement* element = mjs_firstElement(spec, mjOBJ_GEOM); element != nullptr;
       element = mjs_nextElement(spec, element)) {
    const int geom = mjs_getId(element);
    if (geom < 0 || geom >= model->ngeom) return {};
    std::string& name = names[static_cast<std::size_t>(geom)];
    name = mjs_getString(mjs_getName(element));
    if (!name.empty()) continue;
    name = fmt::format("rhumb:geom {}", geom);
    if (mjs_setName(element, name.c_str()) != 0) return {};
  }
  for (const int geom : touching) {
    mjsPair* pair = mjs_addPair(spec, nullptr);
    mjs_setString(pair->geomname1, names[static_cast<std::size_t>(ground)].c_str());
    mjs_setString(pair->geomname2, names[static_cast<std::size_t>(geom)].c_str());
  }
  return touching;
}

bool UseContactList(const std::vector<int>& geoms, const mjModel* original, mjModel* model) {
  const int ground = FindGround(original);
  if (model->ngeom != original->ngeom || model->npair != static_cast<mjtSize>(geoms.size())) {
    return false;
  }
  for (int pair = 0; pair < model->npair; ++pair) {
    int a = model->pair_geom1[pair], b = model->pair_geom2[pair];
    if (a != ground) std::swap(a, b);
    if (a != ground || b != geoms[static_cast<std::size_t>(pair)]) return false;
    SetParameters(original, a, b, pair, model);
  }
  std::fill_n(model->geom_contype, model->ngeom, 0);
  std::fill_n(model->geom_conaffinity, model->ngeom, 0);
  std::fill_n(model->body_contype, model->nbody, 0);
  std::fill_n(model->body_conaffinity, model->nbody, 0);
  for (int geom = 0; geom < model->ngeom; ++geom) {
    if (original->names[original->name_geomadr[geom]] == '\0') {
      model->names[model->name_geomadr[geom]] = '\0';
    }
  }
  return true;
}

}  // namespace rhumb::sim
