#include "rhumb/data/minari_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::data {
namespace {

using test::ErrorOf;
using testing::ElementsAre;
using testing::EndsWith;

class MinariLayout : public testing::Test {
 protected:
  MinariLayout() {
    Hdf5File file = Hdf5File::Create(path_);
    WriteEpisode(file.root(), 3, written_, shape_);
    file.Close();
  }

  const test::ScratchFolder scratch_;
  const std::filesystem::path path_ = scratch_.path() / "a.hdf5";
  const StepShape shape_ = SampleDescription().shape();
  const Episode written_ = SampleEpisode(7, 4, 1);
};

TEST_F(MinariLayout, AnEpisodeComesBackEqual) {
  const Hdf5File file = Hdf5File::Open(path_);
  Episode read = SampleEpisode(0, 9, 5);  // from an earlier use
  ReadEpisode(file.root(), 3, 4, shape_, read);
  for (const FieldLayout& layout : LayoutOf(shape_)) {
    EXPECT_EQ(read.*layout.values, written_.*layout.values) << layout.name;
  }
  EXPECT_EQ(read.terminations, written_.terminations);
  EXPECT_EQ(read.truncations, written_.truncations);
}

// The names and shapes of Minari 0.5.
TEST_F(MinariLayout, ArraysAreWhereMinariLooks) {
  const Hdf5File file = Hdf5File::Open(path_);
  const Hdf5Group episode = file.root().OpenGroup("episode_3");
  EXPECT_THAT(episode.names(), ElementsAre("actions", "infos", "observations", "rewards",
                                           "terminations", "truncations"));
  EXPECT_EQ(episode.FindAttribute("id"), 3);
  EXPECT_EQ(episode.FindAttribute("total_steps"), 4);
  EXPECT_EQ(episode.FindAttribute("seed"), 11);
  EXPECT_THAT(episode.OpenArray("observations").shape(), ElementsAre(5, 3));
  EXPECT_THAT(episode.OpenArray("rewards").shape(), ElementsAre(4));
  const Hdf5Group infos = episode.OpenGroup("infos");
  EXPECT_THAT(infos.OpenArray("action_std").shape(), ElementsAre(1, 2));
  std::int64_t policy = 0;
  infos.OpenArray("policy").Read(0, 1, &policy);
  EXPECT_EQ(policy, 7);
}

TEST_F(MinariLayout, AnotherShapeIsRefused) {
  const Hdf5File file = Hdf5File::Open(path_);
  Episode read;
  EXPECT_THAT(ErrorOf([&] { ReadEpisode(file.root(), 3, 5, shape_, read); }),
              EndsWith("episode_3/observations has shape [5, 3], not [6, 3]"));
  StepShape wider = shape_;
  wider.qvel = 3;
  EXPECT_THAT(ErrorOf([&] { ReadEpisode(file.root(), 3, 4, wider, read); }),
              EndsWith("episode_3/infos/qvel has shape [5, 2], not [5, 3]"));
  EXPECT_THAT(ErrorOf([&] { ReadEpisode(file.root(), 0, 4, shape_, read); }),
              EndsWith("episode_0 is missing, or not a group"));
}

TEST_F(MinariLayout, MetadataAreThoseThatMinariReads) {
  const nlohmann::json metadata =
      MakeMinariMetadata(SampleDescription(), "sample-v0", 2, 73, 1'260'000);
  EXPECT_EQ(metadata["total_episodes"], 2);
  EXPECT_EQ(metadata["total_steps"], 73);
  EXPECT_EQ(metadata["dataset_size"], 1.3);  // megabytes
  EXPECT_EQ(metadata["dataset_id"], "sample-v0");
  EXPECT_EQ(metadata["action_space"],
            R"({"type": "Box", "dtype": "float32", "shape": [2], "low": [-0.5, -1.0], )"
            R"("high": [0.5, 1.0]})");
  EXPECT_EQ(metadata["observation_space"],
            R"({"type": "Box", "dtype": "float32", "shape": [3], )"
            R"("low": [-Infinity, -Infinity, -Infinity], "high": [Infinity, Infinity, Infinity]})");
  EXPECT_EQ(metadata["rhumb"], ToJson(SampleDescription()));
}

TEST_F(MinariLayout, IdsHaveAVersion) {
  EXPECT_EQ(MinariIdFor("runs/cheetah-v2"), "cheetah-v2");
  EXPECT_EQ(MinariIdFor("runs/cheetah-v2/"), "cheetah-v2");
  EXPECT_EQ(MinariIdFor("runs/half cheetah.1"), "half_cheetah_1-v0");
}

}  // namespace
}  // namespace rhumb::data
