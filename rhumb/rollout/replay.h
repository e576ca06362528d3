// Exact replay: a start state and actions in, what the environment says out, in full double
// precision. It is how Rhumb is held against Gymnasium (tests/sim/parity_test.py).
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/sim/environment.h"

namespace rhumb::rollout {

struct ReplayRequest {
  std::string environment;  // id, or a spec's path relative to the file's folder
  std::string rewards;      // preset; "" for the default
  std::vector<double> qpos, qvel;
  std::vector<std::vector<double>> actions;  // [T][A], environment units, applied unclipped
  std::string place;                         // the file, for messages
};

struct ReplayResult {
  std::vector<std::vector<double>> observations;  // [T + 1][O]
  std::vector<std::vector<double>> rewards;       // [T][K]
  std::vector<bool> terminated, truncated;        // [T]
  bool diverged = false;  // the last row is the step that diverged, and nothing follows it
};

// Reads and checks the form of a replay file (SPEC: {"env", "rewards", "qpos", "qvel", "actions"}).
ReplayRequest ReadReplay(const std::filesystem::path& file);

// The environment that a replay file names.
core::EnvironmentBundle FindReplayBundle(const ReplayRequest& request);

// Never resets: after a fall it goes on and keeps reporting. It ends early only on divergence.
ReplayResult Replay(const sim::Environment& environment, const ReplayRequest& request);

nlohmann::json ToJson(const ReplayResult& result);

}  // namespace rhumb::rollout
