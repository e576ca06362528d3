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
    Fail("cannot write {}: something is there already; choose another path", folder.string());
  }
  const std::vector<std::int64_t> episodes =
      split ? dataset.EpisodesOf(*split) : dataset.AllEpisodes();
  if (episodes.empty()) {
    Fail("{} has no episode in the split {}", dataset.artifact().path().string(), NameOf(*split));
  }
  std::int64_t transitions = 0;
  for (const std::int64_t i : episodes) {
    transitions += dataset.index().episodes[static_cast<std::size_t>(i)].steps;
  }

  fs::create_directories(fs::absolute(folder).parent_path(), error);
  if (error) Fail("cannot write {}: {}", folder.string(), error.message());
  core::Temporary temporary = core::Temporary::MakeFolder(folder);
  const fs::path file = temporary.path() / kMinariFile;
  fs::create_directories(file.parent_path(), error);
  if (error) Fail("cannot write {}: {}", folder.string(), error.message());
  CopyEpisodes(dataset.minari_file(), episodes, file);
  const nlohmann::json metadata = MakeMinariMetadata(dataset.description(), MinariIdFor(folder),
                                                     static_cast<std::int64_t>(episodes.size()),
                                                     transitions, fs::file_size(file));
  core::WriteFileAtomically(temporary.path() / kMinariMetadata, metadata.dump(2) + "\n");
  core::WriteBundle(dataset.description().environment, temporary.path());
  core::SyncToDisk(file);
  core::SyncToDisk(file.parent_path());
  temporary.MoveToFinal();
}

}  // namespace rhumb::data
