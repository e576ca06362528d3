// Exports a dataset, or one split of it, as a plain Minari folder.
#pragma once

#include <filesystem>
#include <optional>

#include "rhumb/data/dataset.h"

namespace rhumb::data {

// Writes <folder>/data/main_data.hdf5 and metadata.json atomically. The folder's name becomes the
// id, so minari.load_dataset finds it below MINARI_DATASETS_PATH. Throws Error if `folder` exists
// or the split has no episodes.
void ExportMinari(const Dataset& dataset, const std::filesystem::path& folder,
                  std::optional<Split> split = std::nullopt);

}  // namespace rhumb::data
