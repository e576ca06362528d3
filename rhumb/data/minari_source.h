// Reads a Minari HDF5 dataset from elsewhere, episode by episode.
//
// Supported: observations and actions that are arrays of numbers (one-dimensional Box, or Discrete)
// and rewards [T] or [T, K]. Infos may be of any kind. Numeric infos with one row per step become
// quantities: infos_<name>, or infos_<name>_<column>. Arrays that Rhumb records (qpos, qvel,
// vector_reward, ...) are recognised by name and shape.
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
  // `folder` contains "data", or is that "data" folder. `policy_info` is the info that holds the
  // number of the acting policy.
  MinariSource(const std::filesystem::path& folder, std::string policy_info);

  // The file's own description. It has no objectives if the file has no vector rewards.
  const DatasetDescription& description() const { return description_; }
  std::int64_t episodes() const { return episodes_; }
  // Infos that are not read: not numeric, or not one row per step.
  const std::vector<std::string>& ignored_infos() const { return ignored_infos_; }

  // Throws Error if an array's shape differs from the first episode's. Returns the policy's number
  // if the infos hold one.
  std::optional<std::int64_t> ReadEpisode(std::int64_t index, Episode& episode) const;

 private:
  // An array below infos, present in every episode.
  struct Info {
    std::vector<std::string> path;  // groups, then the array
    std::uint64_t columns = 1;
    std::vector<float> Episode::*target = nullptr;  // nullptr: columns of the quantities
    bool has_last_row = false;                      // has T + 1 rows
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
  std::uint64_t first_steps_ = 0;  // of episode_0, whose shapes all episodes must have
  DatasetDescription description_;
  std::optional<DatasetDescription> own_;  // description in the metadata, if Rhumb wrote the file
  std::vector<Info> infos_;
  std::vector<std::string> ignored_infos_;
  bool vector_rewards_in_rewards_ = false;
};

}  // namespace rhumb::data
