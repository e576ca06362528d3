// Lists the geoms that can touch the ground, so that MuJoCo need not search for them.
//
// Each time it computes forces, MuJoCo sorts all bodies along an axis to find those that may
// collide. If geoms can only collide with the ground, the candidates are known beforehand: a list
// of pairs. Contacts are equal to the bit, in the same order, and Ant steps 15 % faster.
//
//   parsed spec, compiled model -> ListContacts adds the pairs -> compiled again -> UseContactList
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

namespace rhumb::sim {

// Adds a pair to `spec` for each geom that can touch the ground, and names unnamed geoms, because
// pairs refer to names. `model` is what `spec` compiles to. Returns these geoms in the order of
// their contacts: none if geoms may collide in any other way, or if the model has meshes, which
// take long to compile twice. Then the spec must not be compiled again.
std::vector<int> ListContacts(const mjModel* model, mjSpec* spec);

// Gives the pairs of `model`, compiled from the changed spec, the contact parameters that MuJoCo
// would compute from their geoms, and turns off the search. Removes the new names. Returns whether
// the pairs are those of `geoms`; if not, `model` must not be used.
bool UseContactList(const std::vector<int>& geoms, const mjModel* original, mjModel* model);

}  // namespace rhumb::sim
