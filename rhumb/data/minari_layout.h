// The Minari 0.5 layout: which array stands where.
//
//   <folder>/data/main_data.hdf5   episode_<i> (id, total_steps, seed): observations [T + 1, O],
//                                  actions, rewards, terminations, truncations, infos/...
//   <folder>/data/metadata.json    sizes, spaces, and under "rhumb" the names of the columns
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "rhumb/data/dataset_index.h"
#include "rhumb/data/episode.h"
#include "rhumb/data/hdf5_file.h"

namespace rhumb::data {

inline constexpr const char* kMinariFile = "data/main_data.hdf5";
inline constexpr const char* kMinariMetadata = "data/metadata.json";
// In infos: [1], which policy acted. Unlike an attribute, it survives a copy made by Minari.
inline constexpr const char* kPolicyInfo = "policy";

std::string EpisodeName(std::int64_t index);

// Writes group episode_<index>.
void WriteEpisode(const Hdf5Group& root, std::int64_t index, const Episode& episode,
                  const StepShape& shape);

// Reads it back, but for policy, seed and returns, which are the index's. Arrays of another shape
// than asked for are Errors.
void ReadEpisode(const Hdf5Group& root, std::int64_t index, std::int64_t steps,
                 const StepShape& shape, Episode& episode);

// Opens one array of episode_<index>, checked against its shape; `layout.columns` is not 0.
Hdf5Array OpenField(const Hdf5Group& root, std::int64_t index, std::int64_t steps,
                    const FieldLayout& layout);

// A new file with some of the episodes of another, numbered anew.
void CopyEpisodes(const std::filesystem::path& source, std::span<const std::int64_t> episodes,
                  const std::filesystem::path& target);

// What Minari wants to know before it reads the file; `bytes` is its size.
nlohmann::json MakeMinariMetadata(const DatasetDescription& description, const std::string& id,
                                  std::int64_t episodes, std::int64_t transitions,
                                  std::uint64_t bytes);

// Minari's ids are "name-v0": the folder's name, mended where it is not of that form.
std::string MinariIdFor(const std::filesystem::path& folder);

}  // namespace rhumb::data
