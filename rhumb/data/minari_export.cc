#include "rhumb/data/minari_export.h"

#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/temporary.h"
#include "rhumb/data/minari_layout.h"

namespace rhumb::data {
namespace fs = std::filesystem;

void ExportMinari(const Dataset& dataset, const fs::path& folder, std::optional<Split> split) {
  std::error_code error;
  if (fs::symlink_status(folder, error).type() != fs::file_type::not_found) {
    Fail("cannot write {}: it already exists; choose another path", folder.string());
  }
  const std::vector<std::int64_t> episodes =
      split ? dataset.EpisodesOf(*split) : dataset.AllEpisodes();
  if (episodes.empty()) {
    Fail("{} has no episode in the split {}", dataset.artifact().path().string(), NameOf(*split));
  }
  core::MakeFolder(fs::absolute(folder).parent_path());
  core::Temporary temporary = core::Temporary::MakeFolder(folder);
  const fs::path file = temporary.path() / kMinariFile;
  core::MakeFolder(file.parent_path());
  Hdf5File target = Hdf5File::Create(file);
  Episode episode;
  std::int64_t written = 0, transitions = 0;
  for (const std::int64_t i : episodes) {
    dataset.ReadEpisode(i, episode);
    WriteEpisode(target.root(), written++, episode, dataset.description().shape());
    transitions += episode.steps();
  }
  target.Close();
  const nlohmann::json metadata = MakeMinariMetadata(dataset.description(), MinariIdFor(folder),
                                                     written, transitions, fs::file_size(file));
  core::WriteFileAtomically(temporary.path() / kMinariMetadata, metadata.dump(2) + "\n");
  core::WriteBundle(dataset.description().environment, temporary.path());
  core::SyncToDisk(file);
  core::SyncToDisk(file.parent_path());
  temporary.MoveToFinal();
}

}  // namespace rhumb::data
