// Units of work: a plan cut into commands that may run on different machines, in any order that
// respects `needs`. A unit is a stage with its stamp, so there is no second bookkeeping. Its result
// does not depend on where or when it ran.
//
//   plan -> MakeUnits: agents of the population, each with its own command -> their join
//                      -> the other stages as they are -> RunUnit, on any node that sees the folder
//
//   population.parts/000 … 003       roots, with their last training states
//   population.parts/004 …           children, which start from a root: they need all roots
//   population                       joins the parts, which are then removed
//
// Nodes that do not see the folder run a unit in a folder of their own, with the unit's inputs;
// TakeUnits brings the results back.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/pipeline/reproduce_plan.h"
#include "rhumb/pipeline/stage.h"

namespace rhumb::pipeline {

// How a population is divided, and about how long its agents take on one core.
struct PopulationShape {
  int roots = 1;
  int children = 0;
  int agents_per_unit = 1;  // 0: the population is one unit
  double root_seconds = 0, child_seconds = 0;
};

struct Unit {
  Stage stage;
  std::string kind = {};                // one of kUnitKinds
  std::vector<std::string> needs = {};  // ids of the units whose outputs it reads
  int threads = 1;
  int memory_mb = 0;    // estimate
  bool on_gpu = false;  // needs a GPU
  double seconds = 0;   // estimate, on one core

  const std::string& id() const { return stage.output; }
};

// In the order of the pipeline.
inline const std::vector<std::string> kUnitKinds = {"population", "dataset", "model", "ground",
                                                    "evaluate"};

// The plan of the request as units, each after those it needs. Each agent gets one thread, the
// other units get `request.threads`.
std::vector<Unit> MakeUnits(const ReproduceRequest& request, const PopulationShape& shape);

// The units of these kinds, and all units they need. Throws Error for an unknown kind.
std::vector<Unit> ChooseUnits(const std::vector<Unit>& units,
                              const std::vector<std::string>& kinds);

// kWaiting: for units that are not done. The parts of a population that is done are done.
enum class UnitState { kWaiting, kReady, kDone };
std::vector<UnitState> StatesOf(const std::vector<Unit>& units,
                                const std::filesystem::path& folder);

// {"id", "kind", "command", "inputs", "outputs", "needs", "threads", "memory_mb", "gpus",
// "seconds", "measured", "state"}. Inputs and outputs are paths with their hashes, or null while
// there is no such file. Seconds are measured once the unit is done.
nlohmann::json ToJson(const Unit& unit, UnitState state, const std::filesystem::path& folder);

// Runs a unit unless it is up to date. Returns whether it ran. Waits while another process runs it.
// Throws like RunStage.
bool RunUnit(const std::vector<Unit>& units, const std::string& id,
             const std::filesystem::path& folder, const std::filesystem::path& program);

// Takes the units that were run in another folder of the same run and are missing here. Returns
// their ids.
std::vector<std::string> TakeUnits(const std::vector<Unit>& units,
                                   const std::filesystem::path& from,
                                   const std::filesystem::path& folder);

}  // namespace rhumb::pipeline
