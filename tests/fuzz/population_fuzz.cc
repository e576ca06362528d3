// population.json, in a population without other files.
#include "rhumb/core/files/json_file.h"
#include "rhumb/population/population_description.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(population) {
  static const fuzz::MemoryArtifact kFolder("population", "population.json");
  const auto read = [](std::string_view text) {
    kFolder.Set(text);
    return population::ReadDescription(core::Artifact::Open(kFolder.path(), "population"));
  };
  fuzz::Accepts([&] {
    const population::PopulationDescription description = read(fuzz::TextOf(data, size));
    for (const population::Agent& agent : description.agents) {
      // What `population show` relies on.
      RHUMB_CHECK(!agent.curves.returns.empty() && !agent.curves.episode_length.empty(),
                  "agent {} has no curves", agent.id);
      RHUMB_CHECK(agent.weights.size() == description.objectives.size(), "weights are missing");
    }
    const nlohmann::json written = population::ToJson(description);
    RHUMB_CHECK(population::ToJson(read(core::DumpJson(written))) == written,
                "a population changed on its way");
  });
}
