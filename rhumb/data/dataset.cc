#include "rhumb/data/dataset.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/data/minari_layout.h"

namespace rhumb::data {
namespace fs = std::filesystem;
namespace {

// Throws Error if the file is too small for the promised steps. This bounds later allocations,
// since nothing in the file is compressed.
void CheckFileHolds(const DatasetIndex& index, const fs::path& file) {
  std::int64_t row_bytes = 0;
  for (const FieldLayout& layout : LayoutOf(index.description.shape())) {
    if (!layout.may_be_constant) row_bytes += 4 * std::int64_t{layout.columns};
  }
  const auto promised =
      static_cast<long double>(index.transitions()) * static_cast<long double>(row_bytes);
  const std::uintmax_t bytes = fs::file_size(file);
  if (promised > static_cast<long double>(bytes)) {
    Fail("{} is damaged: dataset.json promises {} steps of {} bytes, the file has {} bytes",
         file.string(), index.transitions(), row_bytes, bytes);
  }
}

}  // namespace

Rows::Rows(std::int64_t count, int columns)
    : count_(count),
      columns_(columns),
      numbers_(std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(count) *
                                                       static_cast<std::size_t>(columns))) {}

Dataset::Dataset(core::Artifact artifact, DatasetIndex index, Hdf5File file)
    : artifact_(std::move(artifact)), index_(std::move(index)), file_(std::move(file)) {}

Dataset Dataset::Open(const fs::path& folder) {
  core::Artifact artifact = core::Artifact::Open(folder, "dataset");
  DatasetIndex index = ReadDatasetIndex(artifact);
  const fs::path file = artifact.file(kMinariFile);
  CheckFileHolds(index, file);
  return {std::move(artifact), std::move(index), Hdf5File::Open(file)};
}

std::vector<std::int64_t> Dataset::AllEpisodes() const {
  std::vector<std::int64_t> episodes(index_.episodes.size());
  std::iota(episodes.begin(), episodes.end(), 0);
  return episodes;
}

std::vector<std::int64_t> Dataset::EpisodesOf(Split split) const {
  std::vector<std::int64_t> episodes = AllEpisodes();
  std::erase_if(episodes, [&](std::int64_t i) {
    const int policy = index_.episodes[static_cast<std::size_t>(i)].policy;
    return index_.policies[static_cast<std::size_t>(policy)].split != split;
  });
  return episodes;
}

void Dataset::ReadEpisode(std::int64_t index, Episode& episode) const {
  RHUMB_CHECK(index >= 0 && static_cast<std::size_t>(index) < index_.episodes.size(),
              "episode {} of {}", index, index_.episodes.size());
  const EpisodeRecord& record = index_.episodes[static_cast<std::size_t>(index)];
  data::ReadEpisode(file_.root(), index, record.steps, description().shape(), episode);
  episode.policy = record.policy;
  episode.seed = record.seed;
  episode.returns = record.returns;
}

Transitions Dataset::LoadTransitions(std::span<const Field> fields,
                                     std::span<const std::int64_t> episodes) const {
  Transitions result;
  std::int64_t count = 0;
  for (const std::int64_t episode : episodes) {
    const EpisodeRecord& record = index_.episodes.at(static_cast<std::size_t>(episode));
    result.starts.push_back(count);
    result.lengths.push_back(record.steps);
    result.episodes.push_back(episode);
    result.policies.push_back(record.policy);
    result.returns.insert(result.returns.end(), record.returns.begin(), record.returns.end());
    count += record.steps;
  }
  const auto layouts = LayoutOf(description().shape());
  for (const Field field : fields) {
    const FieldLayout& layout = layouts[static_cast<std::size_t>(field)];
    if (layout.columns == 0) {
      Fail("{} was recorded without {}", artifact_.path().string(), layout.name);
    }
    Rows& rows = result[field] = Rows(count, layout.columns);
    for (std::size_t i = 0; i < episodes.size(); ++i) {
      const std::int64_t steps = result.lengths[i];
      const Hdf5Array array = OpenField(file_.root(), episodes[i], steps, layout);
      float* target = rows.data() + result.starts[i] * layout.columns;
      const std::int64_t stored = layout.may_be_constant && array.rows() == 1 ? 1 : steps;
      array.Read(0, static_cast<std::uint64_t>(stored), target);
      for (std::int64_t row = stored; row < steps; ++row) {
        std::copy_n(target, layout.columns, target + row * layout.columns);
      }
    }
  }
  return result;
}

}  // namespace rhumb::data
