// The Minari 0.5 layout: the place of each array.
//
//   <folder>/data/main_data.hdf5   episode_<i> (id, total_steps, seed): observations [T + 1, O],
//                                  actions, rewards, terminations, truncations, infos/...
//   <folder>/data/metadata.json    sizes, spaces, and under "rhumb" the names of the columns
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rhumb/data/dataset_index.h"
#include "rhumb/data/episode.h"
#include "rhumb/data/hdf5_file.h"

namespace rhumb::data {

inline constexpr const char* kMinariFile = "data/main_data.hdf5";
inline constexpr const char* kMinariMetadata = "data/metadata.json";
// In infos: [1], the policy that acted. Unlike an HDF5 attribute, it survives a copy by Minari.
inline constexpr const char* kPolicyInfo = "policy";

std::string EpisodeName(std::int64_t index);

// Writes the group episode_<index>.
void WriteEpisode(const Hdf5Group& root, std::int64_t index, const Episode& episode,
                  const StepShape& shape);

// Reads it back, except policy, seed and returns, which are in the index. Throws Error if an array
// has the wrong shape.
void ReadEpisode(const Hdf5Group& root, std::int64_t index, std::int64_t steps,
                 const StepShape& shape, Episode& episode);

// Opens one array of episode_<index> and checks its shape. `layout.columns` must not be 0.
Hdf5Array OpenField(const Hdf5Group& root, std::int64_t index, std::int64_t steps,
                    const FieldLayout& layout);

// The metadata that Minari reads first. `bytes` is the size of the HDF5 file.
nlohmann::json MakeMinariMetadata(const DatasetDescription& description, const std::string& id,
                                  std::int64_t episodes, std::int64_t transitions,
                                  std::uint64_t bytes);

// The folder's name as a Minari id, "name-v0"; corrected if it does not have that form.
std::string MinariIdFor(const std::filesystem::path& folder);

}  // namespace rhumb::data
