#include "rhumb/data/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::data {
namespace {

namespace fs = std::filesystem;
using test::Contents;
using test::ErrorOf;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;

void Overwrite(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Replaces the first `from` in a file of the dataset and updates the file's size in the manifest.
void Edit(const fs::path& folder, const std::string& name, const std::string& from,
          const std::string& to) {
  std::string bytes = Contents(folder / name);
  const std::size_t at = bytes.find(from);
  ASSERT_NE(at, bytes.npos) << from;
  bytes.replace(at, from.size(), to);
  Overwrite(folder / name, bytes);
  nlohmann::json manifest = nlohmann::json::parse(Contents(folder / "manifest.json"));
  manifest["files"][name]["bytes"] = bytes.size();
  Overwrite(folder / "manifest.json", manifest.dump());
}

class DatasetFile : public testing::Test {
 protected:
  DatasetFile() { WriteSampleDataset(folder_); }

  std::string OpenError() const {
    return ErrorOf([this] { Dataset::Open(folder_); });
  }
  std::string ReadError(std::int64_t episode) const {
    return ErrorOf([&] {
      Episode read;
      Dataset::Open(folder_).ReadEpisode(episode, read);
    });
  }

  ScratchFolder scratch_;
  fs::path folder_ = scratch_.path() / "sample";
};

TEST_F(DatasetFile, EpisodesComeBackEqual) {
  const Dataset dataset = Dataset::Open(folder_);
  dataset.artifact().Verify();
  EXPECT_EQ(dataset.description().environment.files.at("sample.toml"), "id = \"sample-v0\"\n");
  EXPECT_EQ(dataset.index().transitions(), 40 + 33 + 50);
  const std::vector<int> steps = {40, 33, 50};
  Episode episode;
  for (int i = 0; i < 3; ++i) {
    dataset.ReadEpisode(i, episode);
    const Episode written =
        SampleEpisode(i, steps[static_cast<std::size_t>(i)], static_cast<float>(i));
    for (const FieldLayout& layout : LayoutOf(SampleDescription().shape())) {
      EXPECT_EQ(episode.*layout.values, written.*layout.values) << layout.name;
    }
    EXPECT_EQ(episode.terminations, written.terminations);
    EXPECT_EQ(episode.truncations, written.truncations);
    EXPECT_EQ(episode.returns, written.returns);
    EXPECT_EQ(episode.policy, i);
    EXPECT_EQ(episode.seed, 11u);
  }
}

TEST_F(DatasetFile, PoliciesAndSplitsComeBack) {
  const Dataset dataset = Dataset::Open(folder_);
  const Policy& policy = dataset.index().policies[1];
  EXPECT_EQ(policy.file, "agents/1.safetensors");
  EXPECT_EQ(policy.weights, (std::vector<double>{0.9, 0.1}));
  EXPECT_EQ(policy.mean_return, (std::vector<double>{1, -1}));
  EXPECT_EQ(policy.mean_length, 33);
  EXPECT_THAT(dataset.AllEpisodes(), ElementsAre(0, 1, 2));
  EXPECT_THAT(dataset.EpisodesOf(Split::kTrain), ElementsAre(0));
  EXPECT_THAT(dataset.EpisodesOf(Split::kHeldOutCheckpoint), ElementsAre(1));
  EXPECT_THAT(dataset.EpisodesOf(Split::kHeldOutWeight), ElementsAre(2));
}

TEST_F(DatasetFile, NormalisationIsOfTheTrainingSplit) {
  // 40 observations 0, 3, 6, ...; the last state is excluded, since no action was taken in it.
  const Normalisation normalisation = Dataset::Open(folder_).index().normalisation;
  EXPECT_DOUBLE_EQ(normalisation.observation_mean[0], 3 * 39 / 2.0);
  EXPECT_DOUBLE_EQ(normalisation.observation_mean[2], 3 * 39 / 2.0 + 2);
  EXPECT_DOUBLE_EQ(normalisation.observation_std[0], 3 * std::sqrt((40 * 40 - 1) / 12.0));
  EXPECT_EQ(normalisation.return_mean, (std::vector<double>{0, 0}));
  EXPECT_EQ(normalisation.return_std, (std::vector<double>{0, 0}));
}

TEST_F(DatasetFile, TransitionsAreFlat) {
  const Dataset dataset = Dataset::Open(folder_);
  const std::vector<Field> fields = {Field::kObservations, Field::kActionStds};
  const std::vector<std::int64_t> episodes = {2, 0};
  const Transitions transitions = dataset.LoadTransitions(fields, episodes);
  EXPECT_EQ(transitions.count(), 90);
  EXPECT_THAT(transitions.starts, ElementsAre(0, 50));
  EXPECT_THAT(transitions.lengths, ElementsAre(50, 40));
  EXPECT_THAT(transitions.policies, ElementsAre(2, 0));
  EXPECT_THAT(transitions.returns, ElementsAre(2, -2, 0, 0));
  const Rows& observations = transitions[Field::kObservations];
  EXPECT_EQ(observations.count(), 90);
  EXPECT_THAT(observations.row(0), ElementsAre(2, 3, 4));
  EXPECT_THAT(observations.row(49), ElementsAre(149, 150, 151));
  EXPECT_THAT(observations.row(50), ElementsAre(0, 1, 2));
  // The std is stored once per episode.
  EXPECT_THAT(transitions[Field::kActionStds].row(49), ElementsAre(6002, 6003));
  EXPECT_THAT(transitions[Field::kActionStds].row(89), ElementsAre(6000, 6001));
  EXPECT_EQ(transitions[Field::kActions].count(), 0);
}

TEST_F(DatasetFile, AFieldThatWasNotRecordedIsAnError) {
  const fs::path folder = scratch_.path() / "plain";
  DatasetDescription description = SampleDescription();
  description.policy_outputs = false;
  DatasetWriter writer(folder, description);
  Episode episode = SampleEpisode(writer.AddPolicy(SamplePolicy(0, 5)), 40, 0);
  episode.raw_actions.clear();
  episode.action_means.clear();
  episode.action_stds.clear();
  writer.Append(episode);
  writer.Commit(nlohmann::json::object());
  const Dataset dataset = Dataset::Open(folder);
  const std::vector<Field> fields = {Field::kRawActions};
  EXPECT_THAT(ErrorOf([&] { dataset.LoadTransitions(fields, dataset.AllEpisodes()); }),
              HasSubstr("plain was recorded without raw_action"));
}

TEST_F(DatasetFile, ATruncatedFileIsRefused) {
  const fs::path file = folder_ / "data/main_data.hdf5";
  const std::uintmax_t bytes = fs::file_size(file);
  fs::resize_file(file, bytes - 1);
  EXPECT_THAT(OpenError(), HasSubstr("data/main_data.hdf5 has"));
  // Also if the manifest has the new size.
  Edit(folder_, "data/main_data.hdf5", "HDF", "HDF");
  EXPECT_THAT(OpenError(), HasSubstr("main_data.hdf5: truncated file"));
  fs::resize_file(file, 100);
  Edit(folder_, "data/main_data.hdf5", "HDF", "HDF");
  EXPECT_THAT(OpenError(), HasSubstr("dataset.json promises 123 steps of 68 bytes"));
}

TEST_F(DatasetFile, AnotherKindOfFileIsRefused) {
  Edit(folder_, "data/main_data.hdf5", "HDF", "FDH");
  EXPECT_THAT(OpenError(), HasSubstr("main_data.hdf5: file signature not found"));
  EXPECT_THAT(ErrorOf([&] { Dataset::Open(scratch_.path()); }),
              HasSubstr("is not a dataset folder of rhumb"));
}

TEST_F(DatasetFile, AWrongShapeIsRefused) {
  Edit(folder_, "dataset.json", "\"steps\":[40,33", "\"steps\":[39,33");
  EXPECT_THAT(ReadError(0), HasSubstr("episode_0/observations has shape [41, 3], not [40, 3]"));
  EXPECT_EQ(ReadError(1), "");
}

TEST_F(DatasetFile, MoreStepsThanTheFileCanHoldAreRefused) {
  Edit(folder_, "dataset.json", "\"steps\":[40,33", "\"steps\":[2147483648,33");
  EXPECT_THAT(OpenError(), HasSubstr("dataset.json promises 2147483731 steps"));
}

}  // namespace
}  // namespace rhumb::data
