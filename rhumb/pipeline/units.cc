#include "rhumb/pipeline/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/temporary.h"
#include "rhumb/core/text.h"
#include "rhumb/pipeline/folder_lock.h"
#include "rhumb/pipeline/reproduction.h"

namespace rhumb::pipeline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

constexpr const char* kParts = "population.parts";

// Guesses of what one command needs at full scale on one core, for the order of the units, their
// placement and the first estimates of the time left. Only the times at smoke scale were measured.
struct Needs {
  double seconds;
  int memory_mb;
};
const std::map<std::string, Needs> kNeeds = {{"population", {20, 500}},
                                             {"dataset", {120, 1000}},
                                             {"model", {3600, 3000}},
                                             {"ground", {1200, 2000}},
                                             {"evaluate", {120, 2000}}};
// Work of a scale, as a share of that at full scale.
const std::map<std::string, double> kShares = {{"full", 1}, {"small", 0.02}, {"smoke", 0.001}};

std::string KindOf(const Stage& stage) {
  const std::string& first = stage.words.front();
  return first == "model" && stage.words[1] == "ground" ? "ground" : first;
}

Words Extended(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The words of the whole population, for the agents `first` to `last` and another output.
Words WordsForAgents(const Stage& whole, const std::string& output, int first, int last) {
  Words words = whole.words;
  const auto out = std::find(words.begin(), words.end(), "--out");
  RHUMB_CHECK(out != words.end() && out + 1 != words.end(), "{} has no --out", whole.output);
  *(out + 1) = output;
  Words agents;
  for (int id = first; id <= last; ++id) agents.push_back(std::to_string(id));
  return Extended(words, {"--agents", fmt::format("{}", fmt::join(agents, ","))});
}

std::string NameOfPart(int first, int last) {
  return first == last ? fmt::format("{}/{:03}", kParts, first)
                       : fmt::format("{}/{:03}-{:03}", kParts, first, last);
}

// Appends the units of the agents from `first` up to `end`; returns their ids. Children start from
// the parts `roots`.
Words AddParts(const Unit& whole, const PopulationShape& shape, int first, int end,
               const Words& roots, std::vector<Unit>& units) {
  Words ids;
  const bool are_children = !roots.empty();
  for (int i = first; i < end; i += shape.agents_per_unit) {
    const int last = std::min(end, i + shape.agents_per_unit) - 1, count = last - i + 1;
    Unit part = whole;
    part.needs = roots;
    part.threads = count;
    part.memory_mb = kNeeds.at("population").memory_mb * count;
    part.seconds = are_children ? shape.child_seconds : shape.root_seconds;
    part.stage.output = NameOfPart(i, last);
    part.stage.words = WordsForAgents(whole.stage, part.stage.output, i, last);
    if (!are_children && shape.children > 0) part.stage.words.push_back("--keep-states");
    if (are_children) {
      part.stage.words =
          Extended(part.stage.words, {"--roots", fmt::format("{}", fmt::join(roots, ","))});
      part.stage.inputs = Extended(part.stage.inputs, roots);
    }
    ids.push_back(part.id());
    units.push_back(std::move(part));
  }
  return ids;
}

// Sets the number of threads in the words, which only affect speed.
void SetThreads(Unit& unit) {
  Words& words = unit.stage.machine_words;
  const auto threads = std::find(words.begin(), words.end(), "--threads");
  RHUMB_CHECK(threads != words.end(), "{} has no --threads", unit.id());
  *(threads + 1) = std::to_string(unit.threads);
}

std::vector<Unit> DividePopulation(Unit whole, const PopulationShape& shape) {
  std::vector<Unit> units;
  const int agents = shape.roots + shape.children;
  const bool is_divided = shape.agents_per_unit > 0 && shape.agents_per_unit < agents;
  if (!is_divided) {
    whole.seconds = shape.roots * shape.root_seconds + shape.children * shape.child_seconds;
    return {whole};
  }
  Words parts = AddParts(whole, shape, 0, shape.roots, {}, units);
  parts = Extended(parts, AddParts(whole, shape, shape.roots, agents, parts, units));
  whole.stage.parts = parts;
  whole.stage.join_words =
      Extended({"population", "merge"}, Extended(parts, {"--out", whole.id()}));
  whole.needs = parts;
  whole.threads = 1;
  whole.on_gpu = false;
  whole.seconds = 1;
  units.push_back(std::move(whole));
  return units;
}

// Removes the parts of outputs that are done. Their stamps, with their times, stay.
void RemoveSpentParts(const Unit& unit, const fs::path& folder) {
  for (const std::string& part : unit.stage.parts) core::RemoveFolderAtOnce(folder / part);
}

const Unit& Find(const std::vector<Unit>& units, const std::string& id) {
  Words ids;
  for (const Unit& unit : units) {
    if (unit.id() == id) return unit;
    ids.push_back(unit.id());
  }
  Fail("there is no unit '{}'{}", id, core::Suggestion(id, ids));
}

std::optional<std::string> HashIfThere(const fs::path& path) {
  try {
    if (fs::exists(path)) return HashOfContent(path);
  } catch (const Error&) {
    // Damaged or incomplete: it is made again.
  }
  return std::nullopt;
}

json DescribeFiles(const Words& paths, const fs::path& folder) {
  json described = json::array();
  for (const std::string& path : paths) {
    const std::optional<std::string> hash = HashIfThere(folder / path);
    described.push_back({{"path", path}, {"sha256", hash ? json(*hash) : json(nullptr)}});
  }
  return described;
}

}  // namespace

std::vector<Unit> MakeUnits(const ReproduceRequest& request, const PopulationShape& shape) {
  const double share = kShares.at(request.scale);
  std::vector<Unit> units;
  std::set<std::string> made;
  for (Stage& stage : MakePlan(request)) {
    Unit unit{.stage = std::move(stage)};
    unit.kind = KindOf(unit.stage);
    unit.threads = request.threads;
    unit.memory_mb = kNeeds.at(unit.kind).memory_mb;
    unit.seconds = kNeeds.at(unit.kind).seconds * share;
    const Words& words = unit.stage.machine_words;
    unit.on_gpu = std::find(words.begin(), words.end(), "cuda") != words.end();
    for (const std::string& input : unit.stage.inputs) {
      if (made.contains(input)) unit.needs.push_back(input);
    }
    made.insert(unit.id());
    if (unit.kind == "population") {
      for (Unit& part : DividePopulation(std::move(unit), shape)) units.push_back(std::move(part));
    } else {
      units.push_back(std::move(unit));
    }
  }
  for (Unit& unit : units) SetThreads(unit);
  return units;
}

std::vector<Unit> ChooseUnits(const std::vector<Unit>& units, const Words& kinds) {
  for (const std::string& kind : kinds) {
    if (std::find(kUnitKinds.begin(), kUnitKinds.end(), kind) == kUnitKinds.end()) {
      Fail("there is no kind of units '{}'{}", kind, core::Suggestion(kind, kUnitKinds));
    }
  }
  // From the end, since a unit comes after those it needs.
  std::set<std::string> wanted;
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    const bool is_asked_for = std::find(kinds.begin(), kinds.end(), unit->kind) != kinds.end();
    if (!is_asked_for && !wanted.contains(unit->id())) continue;
    wanted.insert(unit->id());
    wanted.insert(unit->needs.begin(), unit->needs.end());
  }
  std::vector<Unit> chosen;
  for (const Unit& unit : units) {
    if (wanted.contains(unit.id())) chosen.push_back(unit);
  }
  return chosen;
}

std::vector<UnitState> StatesOf(const std::vector<Unit>& units, const fs::path& folder) {
  std::map<std::string, UnitState> states;
  for (const Unit& unit : units) {
    // Parts come before the whole, so they may be known as done already.
    if (!unit.stage.parts.empty() && IsUpToDate(unit.stage, folder)) {
      for (const std::string& part : unit.stage.parts) states[part] = UnitState::kDone;
      states[unit.id()] = UnitState::kDone;
      continue;
    }
    const bool is_ready = std::all_of(unit.needs.begin(), unit.needs.end(), [&](const auto& need) {
      return states.at(need) == UnitState::kDone;
    });
    states[unit.id()] = !is_ready                        ? UnitState::kWaiting
                        : IsUpToDate(unit.stage, folder) ? UnitState::kDone
                                                         : UnitState::kReady;
  }
  std::vector<UnitState> in_order;
  for (const Unit& unit : units) in_order.push_back(states.at(unit.id()));
  return in_order;
}

json ToJson(const Unit& unit, UnitState state, const fs::path& folder) {
  static const std::map<UnitState, const char*> kWords = {
      {UnitState::kWaiting, "waiting"}, {UnitState::kReady, "ready"}, {UnitState::kDone, "done"}};
  Words command = unit.stage.join_words.empty() ? unit.stage.command() : unit.stage.join_words;
  command.insert(command.begin(), "rhumb");
  double seconds = unit.seconds;
  bool is_measured = false;
  if (const std::optional<Stamp> stamp = ReadStamp(folder, unit.stage);
      stamp && state == UnitState::kDone) {
    seconds = stamp->wall_seconds;
    // The stamp of a joined output includes its parts.
    for (const std::string& part : unit.stage.parts) {
      if (const auto made = ReadStamp(folder, {.output = part})) seconds -= made->wall_seconds;
    }
    is_measured = true;
  }
  return {{"id", unit.id()},
          {"kind", unit.kind},
          {"command", command},
          {"inputs", DescribeFiles(Extended(unit.stage.inputs, unit.stage.parts), folder)},
          {"outputs", DescribeFiles({unit.id()}, folder)},
          {"needs", unit.needs},
          {"threads", unit.threads},
          {"memory_mb", unit.memory_mb},
          {"gpus", unit.on_gpu ? 1 : 0},
          {"seconds", seconds},
          {"measured", is_measured},
          {"state", kWords.at(state)}};
}

bool RunUnit(const std::vector<Unit>& units, const std::string& id, const fs::path& folder,
             const fs::path& program) {
  const Unit& unit = Find(units, id);
  const FolderLock folder_lock(folder, Sharing::kWithOthers);
  const OutputLock output_lock(folder / kRunFile, id);
  const bool is_done = IsUpToDate(unit.stage, folder);
  if (is_done) {
    RemoveLeftovers(unit.stage, folder);
  } else {
    for (const std::string& part : unit.stage.parts)
      HashOfContent(folder / part);  // whole, or Error
    RunStage(unit.stage, folder, program);
  }
  RemoveSpentParts(unit, folder);
  return !is_done;
}

Words TakeUnits(const std::vector<Unit>& units, const fs::path& from, const fs::path& folder) {
  const FolderLock folder_lock(folder, Sharing::kWithOthers);
  Words taken;
  const std::vector<UnitState> states = StatesOf(units, folder);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Unit& unit = units[i];
    if (states[i] == UnitState::kDone) continue;
    // A unit taken a moment ago may have been the last that this one waited for.
    const auto are_there = [&](const Words& paths) {
      return std::all_of(paths.begin(), paths.end(),
                         [&](const auto& path) { return HashIfThere(folder / path).has_value(); });
    };
    if (!are_there(unit.stage.inputs)) continue;
    const OutputLock output_lock(folder / kRunFile, unit.id());
    if (!TakeOutput(unit.stage, from, folder)) continue;
    taken.push_back(unit.id());
    RemoveSpentParts(unit, folder);
  }
  return taken;
}

}  // namespace rhumb::pipeline
