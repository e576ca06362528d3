// Streams episodes into a dataset folder, which appears complete or not at all.
//
//   AddPolicy... -> Append... -> SelectBehaviours(policies()), AssignSplits(policies()) -> Commit
//
//   <folder>/manifest.json         fields of every artefact; counts; the policies left out
//   <folder>/dataset.json          dataset_index.h
//   <folder>/data/...              the episodes in Minari's format (minari_layout.h)
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/math/running_statistics.h"
#include "rhumb/data/dataset_index.h"
#include "rhumb/data/hdf5_file.h"

namespace rhumb::data {

struct DatasetWriterOptions {
  int min_episode_steps = 32;  // shorter episodes are measured but not written
  // Episodes that diverged or are not finite are counted but not written. More than this number and
  // more than 1 % of all is an Error.
  std::int64_t max_unusable_episodes = 20;
};

// Memory grows with the number of episodes and policies, not with their steps. One thread at a
// time.
class DatasetWriter {
 public:
  enum class Outcome { kWritten, kTooShort, kUnusable };

  DatasetWriter(const std::filesystem::path& folder, DatasetDescription description,
                const DatasetWriterOptions& options = {});

  // Returns the policy's index, which its episodes refer to. Also add policies that are left out
  // from the start.
  int AddPolicy(Policy policy);

  // Measures the episode and writes it. Throws Error for a wrong shape, an unknown policy or a full
  // disk.
  Outcome Append(const Episode& episode);

  // The policies with their measurements so far. Verdicts and splits may be changed until Commit.
  std::span<Policy> policies() { return policies_; }

  // Drops the episodes of policies that are not kept, computes the normalisation over the training
  // split, and makes the folder appear. `manifest_fields` as for core::ArtifactWriter. Throws Error
  // if no episode is left. Call once.
  void Commit(const nlohmann::json& manifest_fields);

 private:
  void Measure(const Episode& episode);
  void DropEpisodesOfPoliciesLeftOut();
  Normalisation ComputeNormalisation() const;

  std::string folder_;  // for messages
  std::string minari_id_;
  DatasetDescription description_;
  DatasetWriterOptions options_;
  core::ArtifactWriter artifact_;
  Hdf5File file_;
  std::vector<Policy> policies_;
  std::vector<core::RunningStatistics> measured_;      // per policy: returns, length, motion
  std::vector<core::RunningStatistics> observations_;  // per policy, over written episodes
  std::vector<EpisodeRecord> episodes_;
  std::int64_t appended_ = 0;
  std::int64_t unusable_ = 0;
};

}  // namespace rhumb::data
