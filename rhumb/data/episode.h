// One recorded episode of T steps, and the table of its arrays.
//
//   state s_0 -> action a_0 -> s_1, reward r_0 -> ... -> s_T
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::data {

// Sizes of a step. A size of 0 means that qpos, qvel or quantities are absent. `policy_outputs`:
// whether the policy's raw action, mean and std are present.
struct StepShape {
  int observation = 0;  // O
  int action = 0;       // A
  int objectives = 0;   // K
  int quantities = 0;   // Q
  int qpos = 0;
  int qvel = 0;
  bool policy_outputs = false;
};

// The state in which an episode began, in double precision, so that a replay is exact.
struct EpisodeStart {
  std::vector<double> qpos, qvel, act, mocap_pos, mocap_quat;
  std::vector<double> drawn;  // goals and commands, in the environment's order
};

// Float32, row-major, owned. Made by a rollout or read from a file. Clear makes it reusable.
struct Episode {
  int policy = 0;          // index in the dataset's table of policies
  std::uint64_t seed = 0;  // of the run that recorded it, at most 2^63 - 1
  bool diverged = false;   // the simulation diverged; never written

  std::vector<float> observations;    // [T + 1, O]
  std::vector<float> actions;         // [T, A], as applied: clipped, in environment units
  std::vector<float> rewards;         // [T], weights . vector reward
  std::vector<float> vector_rewards;  // [T, K]
  std::vector<float> raw_actions;     // [T, A], as drawn: before clipping, in [-1, 1] units
  std::vector<float> action_means;    // [T, A], in [-1, 1] units
  std::vector<float> action_stds;     // [T, A], or [1, A] if constant
  std::vector<float> qpos;            // [T + 1, nq]
  std::vector<float> qvel;            // [T + 1, nv]
  std::vector<float> quantities;      // [T, Q], the environment's named numbers
  std::vector<std::uint8_t> terminations, truncations;  // [T], 0 or 1

  // Mocap bodies, which stay where the episode's start put them: positions [nmocap, 3], then
  // quaternions [nmocap, 4]. For films; a dataset does not store it.
  std::vector<float> mocap;

  EpisodeStart start;  // for recordings; a dataset does not store it

  // [K], undiscounted sums of the vector rewards, summed in double before rounding to float.
  std::vector<double> returns;

  std::int64_t steps() const { return static_cast<std::int64_t>(terminations.size()); }
  // Empties all arrays but keeps their memory.
  void Clear();
};

enum class Field {
  kObservations,
  kActions,
  kRewards,
  kVectorRewards,
  kRawActions,
  kActionMeans,
  kActionStds,
  kQpos,
  kQvel,
  kQuantities,
};
constexpr int kFieldCount = 10;

// The place of an episode's array, in memory and in the Minari layout.
struct FieldLayout {
  Field field;
  std::vector<float> Episode::*values;
  bool in_infos;                 // inside the group "infos", or beside it
  const char* name;              // name of the HDF5 dataset
  int columns;                   // 0: this dataset lacks the field
  bool has_last_row = false;     // T + 1 rows instead of T
  bool may_be_constant = false;  // 1 row instead of T
  bool is_vector = false;        // [T], not [T, 1]
};

// The layouts of all fields, in the order of Field.
std::array<FieldLayout, kFieldCount> LayoutOf(const StepShape& shape);

// Throws Error with the first array whose size does not match `shape` and steps().
void CheckShape(const Episode& episode, const StepShape& shape, std::string_view place);

// The name of the first array that holds NaN or infinity; "" if all are finite.
std::string FindNonFinite(const Episode& episode);

// Root mean square of all generalised velocities over the episode; 0 without qvel. Small for a
// robot that stands still.
double MeasureMotion(const Episode& episode);

}  // namespace rhumb::data
