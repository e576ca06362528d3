#include "rhumb/learn/population_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rhumb/core/artifact.h"
#include "rhumb/core/error.h"
#include "rhumb/core/file.h"

namespace rhumb::learn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxRunBytes = 1 << 26;

std::string AgentName(int agent) { return fmt::format("agent_{:03}", agent); }

json CurvesOf(const Cohort& cohort, int index) {
  json curves = {{"iteration", json::array()},
                 {"returns", json::array()},
                 {"episode_length", json::array()},
                 {"deviation", json::array()}};
  std::int64_t skipped = 0, diverged = 0;
  for (const IterationRecord& record : cohort.history(index)) {
    curves["iteration"].push_back(record.iteration);
    curves["returns"].push_back(record.returns);
    curves["episode_length"].push_back(record.episode_length);
    curves["deviation"].push_back(record.deviation);
    skipped += record.skipped_minibatches;
    diverged += record.diverged_episodes;
  }
  curves["skipped_minibatches"] = skipped;
  curves["diverged_episodes"] = diverged;
  return curves;
}

}  // namespace

PopulationFolder::PopulationFolder(const fs::path& out, const json& run)
    : out_(out), work_(out.string() + ".work") {
  const fs::path file = work_ / "run.json";
  std::error_code error;
  fs::create_directories(work_, error);
  if (error) Fail("'{}' cannot be made: {}", work_.string(), error.message());
  if (!fs::exists(file)) {
    core::WriteFileAtomically(file, run.dump(2));
    return;
  }
  json there;
  try {
    there = json::parse(core::ReadFile(file, kMaxRunBytes));
  } catch (const json::exception&) {
    Fail("{}: damaged; remove '{}' to start afresh", file.string(), work_.string());
  }
  for (const auto& [key, value] : run.items()) {
    if (there.value(key, json()) != value) {
      Fail(
          "'{}' belongs to another run (its '{}' is {}, not {}); choose another --out, or remove "
          "it "
          "to start afresh",
          work_.string(), key, there.value(key, json()).dump(), value.dump());
    }
  }
}

fs::path PopulationFolder::AgentFolder(int agent) const { return work_ / AgentName(agent); }

fs::path PopulationFolder::TensorboardFolder(int agent) const {
  return work_ / "tensorboard" / AgentName(agent);
}

void PopulationFolder::Restore(Cohort& cohort, int index) const {
  const fs::path file = AgentFolder(cohort.agent(index).id) / "state.safetensors";
  if (fs::exists(file)) cohort.RestoreState(index, net::SafetensorsFile(file));
}

void PopulationFolder::SaveState(const Cohort& cohort, int index) const {
  const fs::path folder = AgentFolder(cohort.agent(index).id);
  fs::create_directories(folder);
  net::SafetensorsWriter out;
  cohort.SaveState(index, out);
  core::WriteFileAtomically(folder / "state.safetensors", out.Bytes());
}

void PopulationFolder::SavePolicy(const Cohort& cohort, int index) const {
  const fs::path folder = AgentFolder(cohort.agent(index).id);
  fs::create_directories(folder);
  net::SafetensorsWriter out;
  cohort.policy(index).Write(out, "", /*half=*/true);
  core::WriteFileAtomically(folder / fmt::format("iteration_{:05}.safetensors", cohort.iteration()),
                            out.Bytes());
}

void PopulationFolder::Finish(const std::vector<std::unique_ptr<Cohort>>& cohorts, json description,
                              const json& manifest) const {
  core::ArtifactWriter writer(out_, "population");
  description["agents"] = json::array();
  for (const auto& cohort : cohorts) {
    for (int i = 0; i < cohort->agent_count(); ++i) {
      const AgentSpec& agent = cohort->agent(i);
      const std::string name = AgentName(agent.id);
      std::vector<fs::path> files;
      for (const auto& entry : fs::directory_iterator(AgentFolder(agent.id))) {
        if (entry.path().filename().string().starts_with("iteration_")) files.push_back(entry);
      }
      std::sort(files.begin(), files.end());
      net::SafetensorsWriter pack;
      json iterations = json::array();
      for (const fs::path& file : files) {
        const net::SafetensorsFile in(file);
        const std::string stem = file.stem().string();
        net::GaussianPolicy::Read(in, "").Write(pack, stem + ".", /*half=*/true);
        iterations.push_back(std::stoi(stem.substr(stem.find('_') + 1)));
      }
      core::WriteFileAtomically(writer.file(fmt::format("agents/{}.safetensors", name)),
                                pack.Bytes());
      EventWriter events(writer.file("tensorboard/" + name + "/x").parent_path());
      for (const IterationRecord& record : cohort->history(i)) {
        LogScalars(events, record, description["objectives"].get<std::vector<std::string>>());
      }
      events.Flush();
      description["agents"].push_back({{"id", agent.id},
                                       {"weights", agent.weights},
                                       {"file", fmt::format("agents/{}.safetensors", name)},
                                       {"kept_iterations", iterations},
                                       {"curves", CurvesOf(*cohort, i)}});
    }
  }
  std::sort(description["agents"].begin(), description["agents"].end(),
            [](const json& a, const json& b) { return a["id"] < b["id"]; });
  core::WriteFileAtomically(writer.file("population.json"), description.dump(1));
  writer.Commit(manifest);
  fs::remove_all(work_);
}

void LogScalars(EventWriter& events, const IterationRecord& record,
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

}  // namespace rhumb::learn
