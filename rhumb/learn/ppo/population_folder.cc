#include "rhumb/learn/ppo/population_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/text.h"
#include "rhumb/population/population_progress.h"

namespace rhumb::learn::ppo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using population::AgentName;

// The two kinds of numbered files of an agent.
constexpr std::string_view kState = "state", kPolicy = population::kPolicyFile;

// An agent's state in a finished population.
std::string StateFile(const std::string& agent_name) {
  return fmt::format("states/{}.safetensors", agent_name);
}

population::LearningCurves CurvesOf(const Cohort& cohort, int index) {
  population::LearningCurves curves;
  for (const IterationRecord& record : cohort.history(index)) {
    curves.iterations.push_back(record.iteration);
    curves.returns.push_back(record.returns);
    curves.episode_length.push_back(record.episode_length);
    curves.deviation.push_back(record.deviation);
    curves.skipped_minibatches += record.skipped_minibatches;
    curves.diverged_episodes += record.diverged_episodes;
  }
  return curves;
}

}  // namespace

PopulationFolder::PopulationFolder(const fs::path& out, const json& run)
    : out_(out), work_(out, run) {}

fs::path PopulationFolder::AgentFolder(int agent) const { return work_.path() / AgentName(agent); }

net::SafetensorsFile PopulationFolder::StateOf(int agent, std::int64_t iteration) const {
  return net::SafetensorsFile(core::NumberedFile(AgentFolder(agent), kState, iteration));
}

fs::path PopulationFolder::MadeAgentFolder(int agent) const {
  core::MakeFolder(AgentFolder(agent));
  return AgentFolder(agent);
}

fs::path PopulationFolder::TensorboardFolder(int agent) const {
  return work_.path() / "tensorboard" / AgentName(agent);
}

void PopulationFolder::Restore(Cohort& cohort) const {
  std::set<std::int64_t> common;
  for (int i = 0; i < cohort.agent_count(); ++i) {
    const std::set<std::int64_t> mine = core::NumbersOf(AgentFolder(cohort.agent(i).id), kState);
    std::erase_if(common, [&](std::int64_t number) { return !mine.contains(number); });
    if (i == 0) common = mine;
  }
  if (common.empty()) return;
  for (int i = 0; i < cohort.agent_count(); ++i) {
    cohort.RestoreState(i, StateOf(cohort.agent(i).id, *common.rbegin()));
  }
}

void PopulationFolder::Adopt(const fs::path& part, const json& run, std::int64_t iteration) const {
  constexpr std::uint64_t kMaxStateBytes = std::uint64_t{1} << 32;
  const core::Artifact artifact = core::Artifact::Open(part, "population");
  artifact.Verify();
  for (const char* key : {"environment", "seed", "weights", "config"}) {
    if (artifact.manifest().value(key, json()) != run.at(key)) {
      Fail("{} belongs to another run: its {} differs", part.string(), key);
    }
  }
  for (const population::Agent& agent : population::ReadDescription(artifact).agents) {
    if (agent.parent >= 0) continue;
    const std::string state = StateFile(AgentName(agent.id));
    if (!artifact.manifest().at("files").contains(state)) {
      Fail("{} has no training state of agent {}; train it again and keep the states",
           part.string(), agent.id);
    }
    core::WriteFileAtomically(core::NumberedFile(MadeAgentFolder(agent.id), kState, iteration),
                              core::ReadFile(artifact.file(state), kMaxStateBytes));
  }
}

void PopulationFolder::Inherit(Cohort& cohort) const {
  for (int i = 0; i < cohort.agent_count(); ++i) {
    cohort.Inherit(i, StateOf(cohort.agent(i).parent, cohort.first_iteration()));
  }
}

void PopulationFolder::SaveState(const Cohort& cohort) const {
  const std::int64_t iteration = cohort.iteration();
  for (int i = 0; i < cohort.agent_count(); ++i) {
    net::SafetensorsWriter out;
    cohort.SaveState(i, out);
    core::WriteFileAtomically(
        core::NumberedFile(MadeAgentFolder(cohort.agent(i).id), kState, iteration), out.Bytes());
  }
  for (int i = 0; i < cohort.agent_count(); ++i) {
    core::RemoveOthers(AgentFolder(cohort.agent(i).id), kState, iteration);
  }
}

void PopulationFolder::SavePolicy(const Cohort& cohort, int index) const {
  net::SafetensorsWriter out;
  cohort.policy(index).Write(out, "", /*half=*/true);
  const std::vector<double>& returns = cohort.history(index).back().returns;
  out.Add("returns", {static_cast<std::int64_t>(returns.size())}, returns);
  core::WriteFileAtomically(
      core::NumberedFile(MadeAgentFolder(cohort.agent(index).id), kPolicy, cohort.iteration()),
      out.Bytes());
}

void PopulationFolder::Finish(const std::vector<std::unique_ptr<Cohort>>& cohorts,
                              population::PopulationDescription description, const json& manifest,
                              bool keep_states) const {
  core::ArtifactWriter writer(out_, "population");
  const std::vector<std::string> objectives = core::NamesOf(description.objectives);
  for (const auto& cohort : cohorts) {
    for (int i = 0; i < cohort->agent_count(); ++i) {
      const AgentSpec& agent = cohort->agent(i);
      const std::string name = AgentName(agent.id);
      const std::string pack_file = fmt::format("agents/{}.safetensors", name);
      net::SafetensorsWriter pack;
      const std::set<std::int64_t> iterations = core::NumbersOf(AgentFolder(agent.id), kPolicy);
      for (const std::int64_t iteration : iterations) {
        const fs::path file = core::NumberedFile(AgentFolder(agent.id), kPolicy, iteration);
        net::GaussianPolicy::Read(net::SafetensorsFile(file), "")
            .Write(pack, file.stem().string() + ".", /*half=*/true);
      }
      core::WriteFileAtomically(writer.file(pack_file), pack.Bytes());
      if (keep_states) {
        net::SafetensorsWriter state;
        cohort->SaveState(i, state);
        core::WriteFileAtomically(writer.file(StateFile(name)), state.Bytes());
      }
      core::EventWriter events(writer.file("tensorboard/" + name + "/x").parent_path());
      for (const IterationRecord& record : cohort->history(i)) {
        LogScalars(events, record, objectives);
      }
      events.Flush();
      description.agents.push_back({.id = agent.id,
                                    .weights = agent.weights,
                                    .parent = agent.parent,
                                    .file = pack_file,
                                    .kept_iterations = {iterations.begin(), iterations.end()},
                                    .curves = CurvesOf(*cohort, i)});
    }
  }
  std::sort(description.agents.begin(), description.agents.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  population::FinishPopulation(writer, description, manifest);
  work_.Remove();
}

void LogScalars(core::EventWriter& events, const IterationRecord& record,
                const std::vector<std::string>& objectives) {
  const auto add = [&](const std::string& tag, double value) {
    events.AddScalar(tag, record.iteration, static_cast<float>(value));
  };
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    add("return/" + objectives[k], record.returns[k]);
  }
  add("episode/length", record.episode_length);
  add("loss/policy", record.policy_loss);
  add("loss/value", record.value_loss);
  add("update/gradient_norm", record.gradient_norm);
  add("update/skipped_minibatches", static_cast<double>(record.skipped_minibatches));
  add("policy/deviation", record.deviation);
}

}  // namespace rhumb::learn::ppo
