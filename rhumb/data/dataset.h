// A finished dataset, opened for reading.
//
//   Dataset::Open -> index() (policies, episodes, splits, normalisation)
//                 -> ReadEpisode: one episode
//                 -> LoadTransitions: chosen arrays of many episodes, flat
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "rhumb/core/files/artifact.h"
#include "rhumb/data/dataset_index.h"
#include "rhumb/data/episode.h"
#include "rhumb/data/hdf5_file.h"

namespace rhumb::data {

// A matrix of float32 in one block of memory, which is not initialised.
class Rows {
 public:
  Rows() = default;
  Rows(std::int64_t count, int columns);

  std::int64_t count() const { return count_; }
  int columns() const { return columns_; }
  float* data() { return numbers_.get(); }
  const float* data() const { return numbers_.get(); }
  std::span<const float> row(std::int64_t index) const {
    return {numbers_.get() + index * columns_, static_cast<std::size_t>(columns_)};
  }

 private:
  std::int64_t count_ = 0;
  int columns_ = 0;
  std::unique_ptr<float[]> numbers_;
};

// The N steps of E episodes, one episode after another. Move-only, since it may hold gigabytes.
struct Transitions {
  // By Field: [N, columns] if requested, else empty. Fields with T + 1 rows per episode keep the
  // first T. A std that is constant in an episode is repeated.
  std::array<Rows, kFieldCount> fields;
  std::vector<std::int64_t> starts;    // [E], first row
  std::vector<std::int64_t> lengths;   // [E]
  std::vector<std::int64_t> episodes;  // [E], index in the dataset
  std::vector<int> policies;           // [E]
  std::vector<double> returns;         // [E, K]

  const Rows& operator[](Field field) const { return fields[static_cast<std::size_t>(field)]; }
  Rows& operator[](Field field) { return fields[static_cast<std::size_t>(field)]; }
  std::int64_t count() const { return starts.empty() ? 0 : starts.back() + lengths.back(); }
};

// One thread at a time. Several Datasets may open the same folder.
class Dataset {
 public:
  // Checks the manifest, the sizes of the files, the index, and that the file can hold the promised
  // steps. Throws Error unless the dataset is complete.
  static Dataset Open(const std::filesystem::path& folder);

  const DatasetIndex& index() const { return index_; }
  const DatasetDescription& description() const { return index_.description; }
  const core::Artifact& artifact() const { return artifact_; }

  std::vector<std::int64_t> AllEpisodes() const;
  std::vector<std::int64_t> EpisodesOf(Split split) const;

  // Reuses the memory of `episode`. Throws Error if an array has the wrong shape.
  void ReadEpisode(std::int64_t index, Episode& episode) const;

  // Reads directly into the result's arrays. Throws Error if the dataset lacks a field.
  Transitions LoadTransitions(std::span<const Field> fields,
                              std::span<const std::int64_t> episodes) const;

 private:
  Dataset(core::Artifact artifact, DatasetIndex index, Hdf5File file);

  core::Artifact artifact_;
  DatasetIndex index_;
  Hdf5File file_;
};

}  // namespace rhumb::data
