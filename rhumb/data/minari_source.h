// A Minari HDF5 dataset that somebody else recorded, read episode by episode.
//
// Supported: observations and actions that are arrays of numbers (Box of one dimension, or
// Discrete), rewards [T] or [T, K], and infos of any kind, of which numeric ones with a row per
// step become quantities: infos_<name>, or infos_<name>_<column>. What Rhumb itself records (qpos,
// qvel, vector_reward, ...) is recognised by name and shape.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/data/dataset_index.h"
#include "rhumb/data/episode.h"
#include "rhumb/data/hdf5_file.h"

namespace rhumb::data {

// One thread at a time.
class MinariSource {
 public:
  // `folder` is the dataset's, with "data" in it, or that "data" itself. `policy_info` is the info
  // that tells which policy acted.
  MinariSource(const std::filesystem::path& folder, std::string policy_info);

  // As the file has it; no objectives where it has no vector rewards.
  const DatasetDescription& description() const { return description_; }
  std::int64_t episodes() const { return episodes_; }
  // Infos that are not read: no numbers, or no row per step.
  const std::vector<std::string>& ignored_infos() const { return ignored_infos_; }

  // An array of another shape than in the first episode is an Error. Returns the number of the
  // policy where the infos tell it.
  std::optional<std::int64_t> ReadEpisode(std::int64_t index, Episode& episode) const;

 private:
  // An array below infos, the same in every episode.
  struct Info {
    std::vector<std::string> path;  // groups, then the array
    std::uint64_t columns = 1;
    std::vector<float> Episode::*target = nullptr;  // nullptr: columns of the quantities
    bool has_last_row = false;                      // keeps T + 1 rows
    bool may_be_constant = false;
  };

  void DescribeEnvironment(const nlohmann::json& metadata, const std::string& place);
  void FindInfos(const Hdf5Group& group, const std::vector<std::string>& path);
  bool AddKnownInfo(const Hdf5Array& array, const std::string& name);
  void AddQuantities(const Hdf5Array& array, const std::vector<std::string>& path);
  void ReadInfo(const Hdf5Group& infos, const Info& info, std::uint64_t steps,
                std::vector<float>& rows) const;

  std::string policy_info_;
  Hdf5File file_;
  std::int64_t episodes_ = 0;
  std::uint64_t first_steps_ = 0;  // of episode_0, whose shapes are everybody's
  DatasetDescription description_;
  std::optional<DatasetDescription> own_;  // what Rhumb wrote into the metadata
  std::vector<Info> infos_;
  std::vector<std::string> ignored_infos_;
  bool vector_rewards_in_rewards_ = false;
};

}  // namespace rhumb::data
