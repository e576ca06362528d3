// Exact replay: takes a start state and actions, and returns the environment's outputs in full
// double precision. tests/sim/parity_test.py uses it to compare Rhumb with Gymnasium.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/sim/environment.h"

namespace rhumb::rollout {

struct ReplayRequest {
  std::string environment;  // id, or a spec's path relative to the file's folder
  std::string rewards;      // preset; "" for the default
  std::string hash;         // of the robot's files when it was recorded; "" if unknown
  std::vector<double> qpos, qvel;
  std::vector<double> act, mocap_pos, mocap_quat;  // empty: the model's default
  // Goals and commands; those that are missing have the means of their distributions.
  std::map<std::string, double> drawn;
  std::vector<std::vector<double>> actions;  // [T][A], environment units, applied unclipped
  std::string place;                         // the file, for error messages
};

struct ReplayResult {
  std::vector<std::vector<double>> observations;  // [T + 1][O]
  std::vector<std::vector<double>> rewards;       // [T][K]
  std::vector<bool> terminated, truncated;        // [T]
  bool diverged = false;                          // the last row is the diverged step
};

// Reads a replay file and checks its form (SPEC: {"env", "rewards", "qpos", "qvel", "actions"}).
// The keys "act", "mocap_pos", "mocap_quat" and "drawn", numbers by name, are optional.
ReplayRequest ReadReplay(const std::filesystem::path& file);

// The environment named by a replay file, or by `name` (an id or a spec) if that is not empty.
// Throws an Error if it is not the recorded one.
core::EnvironmentBundle FindReplayBundle(const ReplayRequest& request,
                                         const std::string& name = "");

// Never resets: after a fall it continues to step and report. It stops early only on divergence.
ReplayResult Replay(const sim::Environment& environment, const ReplayRequest& request);

nlohmann::json ToJson(const ReplayResult& result);

}  // namespace rhumb::rollout
