#include "rhumb/eval/episode_codes.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/data/sample_dataset.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using data::Split;
using testing::ElementsAre;
using testing::HasSubstr;

// z_0 = 2 h_0 + 7, z_1 = h_0 + h_1.
TEST(EpisodeCodes, ProjectsByLabel) {
  const net::Projections projections{2, 2, 1, {2, 0, 1, 1}, {7, 0}};
  const std::vector<std::vector<float>> z = Project(projections, std::vector<float>{1, 2, 3, 4});
  ASSERT_EQ(z.size(), 2u);
  EXPECT_THAT(z[0], ElementsAre(9, 13));
  EXPECT_THAT(z[1], ElementsAre(3, 7));
  EXPECT_TRUE(Project({}, std::vector<float>{1, 2}).empty());
}

// More episodes than fit into one chunk. Their returns are (i, -i).
class EpisodeCodesTest : public testing::Test {
 protected:
  static constexpr int kEpisodes = 300;

  EpisodeCodesTest() {
    data::DatasetWriter writer(scratch_.path() / "d", data::SampleDescription());
    for (int i = 0; i < 3; ++i) writer.AddPolicy(data::SamplePolicy(i, 5));
    for (int i = 0; i < kEpisodes; ++i) {
      data::Episode episode = data::SampleEpisode(i % 3, 40, static_cast<float>(i));
      episode.actions.assign(80, static_cast<float>(i) / 1000);
      writer.Append(episode);
    }
    writer.policies()[1].split = Split::kHeldOutCheckpoint;
    writer.policies()[2].split = Split::kHeldOutWeight;
    writer.Commit({{"seed", 0}});
  }

  data::Dataset dataset() const { return data::Dataset::Open(scratch_.path() / "d"); }

  const test::ScratchFolder scratch_;
  net::Model model_ = rollout::EchoModel(data::SampleDescription(), /*log_deviation=*/-3);
};

// The code is the action in [-1, 1]; the first action's range is -0.5 to 0.5.
TEST_F(EpisodeCodesTest, ChunksChangeNoCode) {
  const data::Dataset all = dataset();
  const EpisodeCodes codes = EncodeInChunks(model_, all, all.AllEpisodes(), {.draws = 2});
  ASSERT_EQ(codes.means.size(), 2u * 2 * kEpisodes);
  EXPECT_EQ(codes.drawn.size(), codes.means.size());
  for (std::size_t e = 0; e < kEpisodes; ++e) {
    EXPECT_NEAR(codes.means[4 * e], 2 * static_cast<double>(e) / 1000, 1e-6);
    EXPECT_NEAR(codes.means[4 * e + 1], static_cast<double>(e) / 1000, 1e-6);
  }
  const std::vector<std::int64_t> late = {290};
  const EpisodeCodes alone = EncodeInChunks(model_, all, late, {.draws = 2});
  EXPECT_THAT(alone.drawn, testing::ElementsAreArray(&codes.drawn[4 * 290], 4));
}

TEST_F(EpisodeCodesTest, LabelsAreNormalisedAndRepeated) {
  model_.description.shaping_labels = 1;
  model_.description.objectives[0].mean = 10;
  model_.description.objectives[0].std = 4;
  EXPECT_THAT(ShapingLabels(model_.description), ElementsAre("forward"));
  const std::vector<std::int64_t> episodes = {2, 18};
  EXPECT_THAT(NormalisedLabels(model_.description, dataset(), episodes, 2),
              ElementsAre(-2, -2, 2, 2));
}

TEST_F(EpisodeCodesTest, ASplitMayBeAUnion) {
  const data::Dataset all = dataset();
  EXPECT_EQ(EpisodesIn(all, "held_out").size(), 200u);
  EXPECT_EQ(EpisodesIn(all, "held_out_weight").front(), 2);
  EXPECT_THAT(test::ErrorOf([&] { EpisodesIn(all, "hole"); }),
              HasSubstr("has no episode in the split 'hole'"));
}

}  // namespace
}  // namespace rhumb::eval
