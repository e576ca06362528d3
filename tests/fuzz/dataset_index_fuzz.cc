// dataset.json, in a dataset without other files.
#include "rhumb/core/files/json_file.h"
#include "rhumb/data/dataset_index.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(dataset_index) {
  static const fuzz::MemoryArtifact kFolder("dataset", "dataset.json");
  const auto read = [](std::string_view text) {
    kFolder.Set(text);
    return data::ReadDatasetIndex(core::Artifact::Open(kFolder.path(), "dataset"));
  };
  fuzz::Accepts([&] {
    const data::DatasetIndex index = read(fuzz::TextOf(data, size));
    RHUMB_CHECK(index.transitions() >= static_cast<std::int64_t>(index.episodes.size()),
                "episodes without steps");
    for (const data::EpisodeRecord& episode : index.episodes) {
      static_cast<void>(index.policies.at(episode.policy));
    }
    const nlohmann::json written = data::ToJson(index);
    RHUMB_CHECK(data::ToJson(read(core::DumpJson(written))) == written,
                "a dataset's index changed on its way");
  });
}
