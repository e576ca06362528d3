#include "rhumb/data/minari_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::data {
namespace {

namespace fs = std::filesystem;
using test::ErrorOf;
using testing::ElementsAre;
using testing::HasSubstr;

using Shape = std::vector<std::uint64_t>;

// Counts up from `first`.
std::vector<float> Count(const Shape& shape, float first) {
  std::size_t size = 1;
  for (const std::uint64_t length : shape) size *= length;
  std::vector<float> numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = first + static_cast<float>(i);
  return numbers;
}

void Write(const Hdf5Group& group, const std::string& name, const Shape& shape, float first) {
  group.Write(name, Count(shape, first), shape);
}

// One episode of two steps: 2 observations, 1 action, rewards of the given shape.
Hdf5Group WriteEpisode(const Hdf5Group& root, const Shape& rewards,
                       std::uint64_t observations = 3) {
  Hdf5Group episode = root.MakeGroup("episode_0");
  Write(episode, "observations", {observations, 2}, 0);
  Write(episode, "actions", {2}, 10);
  Write(episode, "rewards", rewards, 20);
  episode.WriteFlags("terminations", std::vector<std::uint8_t>{0, 1});
  episode.WriteFlags("truncations", std::vector<std::uint8_t>{0, 0});
  return episode;
}

// A dataset of another program.
class MinariSourceTest : public testing::Test {
 protected:
  MinariSourceTest() {
    fs::create_directories(scratch_.path() / "data");
    Describe(R"({"dataset_id": "arm-v1", "action_space": "{\"low\": [-2], \"high\": [Infinity]}",
                 "env_spec": "{\"id\": \"Arm-v5\", \"max_episode_steps\": 50}"})");
  }

  void Describe(const std::string& metadata) const {
    scratch_.Write("data/metadata.json", metadata);
  }
  MinariSource Open() const { return MinariSource(scratch_.path(), "policy"); }

  test::ScratchFolder scratch_;
  Hdf5File file_ = [this] {
    fs::create_directories(scratch_.path() / "data");
    return Hdf5File::Create(scratch_.path() / "data/main_data.hdf5");
  }();
};

TEST_F(MinariSourceTest, ReadsArraysOfNumbers) {
  WriteEpisode(file_.root(), {2});
  file_.Close();
  const MinariSource source = Open();
  EXPECT_EQ(source.episodes(), 1);
  EXPECT_EQ(source.description().environment.id, "Arm-v5");
  EXPECT_EQ(source.description().time_limit, 50);
  EXPECT_EQ(source.description().observation_size, 2);
  EXPECT_EQ(source.description().action_size, 1);
  EXPECT_TRUE(source.description().objectives.empty());
  EXPECT_EQ(source.description().action_low[0], -2);
  EXPECT_EQ(source.description().action_high[0], std::numeric_limits<float>::max());
  Episode episode;
  EXPECT_EQ(source.ReadEpisode(0, episode), std::nullopt);
  EXPECT_THAT(episode.observations, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(episode.actions, ElementsAre(10, 11));
  EXPECT_THAT(episode.rewards, ElementsAre(20, 21));
  EXPECT_THAT(episode.terminations, ElementsAre(0, 1));
}

TEST_F(MinariSourceTest, RewardsWithColumnsAreVectorRewards) {
  WriteEpisode(file_.root(), {2, 2});
  file_.Close();
  const MinariSource source = Open();
  ASSERT_EQ(source.description().objectives.size(), 2u);
  EXPECT_EQ(source.description().objectives[1].name, "objective_1");
  Episode episode;
  source.ReadEpisode(0, episode);
  EXPECT_THAT(episode.vector_rewards, ElementsAre(20, 21, 22, 23));
  EXPECT_THAT(episode.rewards, ElementsAre(41, 45));  // their sums
}

// Minari also records the info of the reset, which precedes the first step.
TEST_F(MinariSourceTest, NumericInfosBecomeQuantities) {
  {
    const Hdf5Group infos = WriteEpisode(file_.root(), {2}).MakeGroup("infos");
    Write(infos, "distance", {3}, 100);
    Write(infos.MakeGroup("hand arm"), "xy", {2, 2}, 200);
    Write(infos, "once", {7}, 300);
    infos.WriteIntegers("policy", std::vector<std::int64_t>{6, 6});
  }
  file_.Close();
  const MinariSource source = Open();
  EXPECT_THAT(source.description().quantities,
              ElementsAre("infos_distance", "infos_hand_arm_xy_0", "infos_hand_arm_xy_1"));
  EXPECT_THAT(source.ignored_infos(), ElementsAre("once"));
  Episode episode;
  EXPECT_EQ(source.ReadEpisode(0, episode), 6);
  EXPECT_THAT(episode.quantities, ElementsAre(101, 200, 201, 102, 202, 203));
}

TEST_F(MinariSourceTest, KnownInfosKeepTheirPlace) {
  {
    const Hdf5Group infos = WriteEpisode(file_.root(), {2}).MakeGroup("infos");
    Write(infos, "qpos", {3, 1}, 100);
    Write(infos, "vector_reward", {2, 2}, 200);
  }
  file_.Close();
  const MinariSource source = Open();
  EXPECT_EQ(source.description().qpos_size, 1);
  EXPECT_EQ(source.description().objectives.size(), 2u);
  Episode episode;
  source.ReadEpisode(0, episode);
  EXPECT_THAT(episode.qpos, ElementsAre(100, 101, 102));
  EXPECT_THAT(episode.vector_rewards, ElementsAre(200, 201, 202, 203));
}

TEST_F(MinariSourceTest, WrongShapesAreRefused) {
  WriteEpisode(file_.root(), {2}, /*observations=*/2);
  file_.Close();
  const MinariSource source = Open();
  Episode episode;
  EXPECT_THAT(ErrorOf([&] { source.ReadEpisode(0, episode); }),
              HasSubstr("episode_0/observations has 2 rows of 2 numbers, not 3 of 2"));
}

TEST_F(MinariSourceTest, APolicyThatChangesIsRefused) {
  WriteEpisode(file_.root(), {2})
      .MakeGroup("infos")
      .WriteIntegers("policy", std::vector<std::int64_t>{6, 7});
  file_.Close();
  const MinariSource source = Open();
  Episode episode;
  EXPECT_THAT(ErrorOf([&] { source.ReadEpisode(0, episode); }),
              HasSubstr("infos/policy changes within the episode"));
}

TEST_F(MinariSourceTest, SpacesOfOtherKindsAreRefused) {
  Write(file_.root().MakeGroup("episode_0").MakeGroup("actions"), "left", {2}, 0);
  file_.Close();
  EXPECT_THAT(ErrorOf([&] { Open(); }),
              HasSubstr("episode_0/actions is a dictionary or tuple (left)"));
}

TEST_F(MinariSourceTest, MetadataAreReadLeniently) {
  WriteEpisode(file_.root(), {2});
  file_.Close();
  const auto error_with = [&](const std::string& text) {
    Describe(text);
    return ErrorOf([&] { Open(); });
  };
  EXPECT_EQ(error_with(R"({"x": NaN, "y": -Infinity})"), "");  // as Python writes them
  EXPECT_THAT(error_with(R"({"data_format": "arrow"})"),
              HasSubstr(R"(the data format is "arrow"; only "hdf5" is supported)"));
  EXPECT_THAT(error_with("{"), HasSubstr("metadata.json: not valid JSON"));
  EXPECT_THAT(error_with("[]"), HasSubstr("the metadata is not a JSON object"));
  EXPECT_THAT(error_with(R"({"rhumb": {}})"), HasSubstr("metadata.json: rhumb is damaged"));
}

TEST_F(MinariSourceTest, AnEmptyFileIsRefused) {
  file_.Close();
  EXPECT_THAT(ErrorOf([&] { Open(); }), HasSubstr("holds no episode"));
}

}  // namespace
}  // namespace rhumb::data
