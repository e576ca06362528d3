// A dataset, or one split of it, as a plain Minari folder for others.
#pragma once

#include <filesystem>
#include <optional>

#include "rhumb/data/dataset.h"

namespace rhumb::data {

// Writes <folder>/data/main_data.hdf5 and metadata.json, whole or not at all, with the folder's
// name as the id, so that minari.load_dataset finds it by that name below MINARI_DATASETS_PATH.
// Anything at `folder` is an Error, and so is a split without episodes.
void ExportMinari(const Dataset& dataset, const std::filesystem::path& folder,
                  std::optional<Split> split = std::nullopt);

}  // namespace rhumb::data
