#include "rhumb/data/minari_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rhumb/data/dataset.h"
#include "rhumb/data/minari_export.h"
#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::data {
namespace {

namespace fs = std::filesystem;
using test::ErrorOf;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class MinariFolder : public testing::Test {
 protected:
  MinariFolder() {
    WriteSampleDataset(ours_);
    ExportMinari(Dataset::Open(ours_), plain_);
  }

  ScratchFolder scratch_;
  fs::path ours_ = scratch_.path() / "ours";
  fs::path plain_ = scratch_.path() / "plain-v0";
  fs::path again_ = scratch_.path() / "again";
};

TEST_F(MinariFolder, ExportAndImportGiveTheSameDataset) {
  EXPECT_FALSE(fs::exists(plain_ / "manifest.json"));
  const ImportReport report = ImportMinari(plain_, again_, {}, {}, kNoFields);
  EXPECT_THAT(report.ignored_infos, IsEmpty());
  const Dataset before = Dataset::Open(ours_);
  EXPECT_EQ(Dataset::Open(again_).description().environment.hash(),
            before.description().environment.hash());
  const Dataset after = Dataset::Open(again_);
  EXPECT_EQ(after.index().episodes.size(), 3u);
  EXPECT_EQ(after.index().transitions(), 123);
  EXPECT_EQ(ToJson(after.description()), ToJson(before.description()));
  Episode left, right;
  for (std::int64_t i = 0; i < 3; ++i) {
    before.ReadEpisode(i, left);
    after.ReadEpisode(i, right);
    for (const FieldLayout& layout : LayoutOf(before.description().shape())) {
      EXPECT_EQ(left.*layout.values, right.*layout.values) << layout.name;
    }
    EXPECT_EQ(left.policy, right.policy);
    EXPECT_EQ(left.seed, right.seed);
  }
}

TEST_F(MinariFolder, ASplitAloneIsNumberedAnew) {
  const fs::path part = scratch_.path() / "part-v0";
  ExportMinari(Dataset::Open(ours_), part, Split::kHeldOutWeight);
  ImportMinari(part / "data", again_, {}, {}, kNoFields);
  const Dataset dataset = Dataset::Open(again_);
  ASSERT_EQ(dataset.index().episodes.size(), 1u);
  EXPECT_EQ(dataset.index().episodes[0].steps, 50);
  EXPECT_EQ(dataset.index().policies[0].agent, 2);
}

TEST_F(MinariFolder, ExportOverwritesNothing) {
  EXPECT_THAT(ErrorOf([&] { ExportMinari(Dataset::Open(ours_), plain_); }),
              HasSubstr("it already exists"));
}

TEST_F(MinariFolder, ObjectivesFromExpressions) {
  ImportConfig config;
  config.objectives = {"rise=next_obs_0 - obs_0", "twice=2 * reward_energy + height - height"};
  const ImportReport report = ImportMinari(plain_, again_, config, {}, kNoFields);
  EXPECT_THAT(report.objectives, ElementsAre("rise", "twice"));
  const Dataset dataset = Dataset::Open(again_);
  Episode episode;
  dataset.ReadEpisode(0, episode);
  // Observations rise by 3 per step; vector rewards count 3000, 3001, ...
  EXPECT_EQ(episode.vector_rewards[0], 3);
  EXPECT_EQ(episode.vector_rewards[1], 2 * 3001);
  EXPECT_EQ(episode.returns[0], 3 * 40);
}

TEST_F(MinariFolder, WithoutPolicyNumbersEveryEpisodeIsAPolicy) {
  ImportConfig config;
  config.policy_info = "nobody";
  const ImportReport report = ImportMinari(plain_, again_, config, {}, kNoFields);
  EXPECT_EQ(Dataset::Open(again_).index().policies.size(), 3u);
  EXPECT_THAT(report.ignored_infos, ElementsAre("policy"));  // one row per episode
}

TEST_F(MinariFolder, WithoutOurMetadataNamesAreGenerated) {
  scratch_.Write("plain-v0/data/metadata.json", "{}");
  ImportMinari(plain_, again_, {}, {}, kNoFields);
  EXPECT_EQ(Dataset::Open(again_).description().objectives[1].name, "objective_1");
  EXPECT_EQ(Dataset::Open(again_).description().quantities[1], "infos_quantities_1");
}

TEST_F(MinariFolder, ABadObjectiveLeavesNothing) {
  ImportConfig config;
  config.objectives = {"a=obs_9"};
  EXPECT_THAT(ErrorOf([&] { ImportMinari(plain_, again_, config, {}, kNoFields); }),
              HasSubstr("objective a: unknown name 'obs_9'"));
  config.objectives = {"a=1", "a=2"};
  EXPECT_THAT(ErrorOf([&] { ImportMinari(plain_, again_, config, {}, kNoFields); }),
              HasSubstr("two objectives are called 'a'"));
  EXPECT_FALSE(fs::exists(again_));
}

}  // namespace
}  // namespace rhumb::data
