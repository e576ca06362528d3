#include "rhumb/data/minari_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rhumb/data/dataset.h"
#include "rhumb/data/minari_layout.h"
#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/small_disk.h"

namespace rhumb::data {
namespace {

namespace fs = std::filesystem;
using test::ErrorOf;
using testing::HasSubstr;
using testing::IsEmpty;

class MinariExport : public testing::Test {
 protected:
  MinariExport() { WriteSampleDataset(scratch_.path() / "from"); }

  test::ScratchFolder scratch_;
};

TEST_F(MinariExport, KeepsTheEpisodesOfASplitAndNumbersThemAnew) {
  const fs::path out = scratch_.path() / "out-v0";
  ExportMinari(Dataset::Open(scratch_.path() / "from"), out, Split::kHeldOutCheckpoint);
  const Hdf5File file = Hdf5File::Open(out / kMinariFile);
  EXPECT_THAT(file.root().names(), testing::ElementsAre("episode_0"));
  const Hdf5Group episode = file.root().OpenGroup("episode_0");
  EXPECT_EQ(episode.FindAttribute("id"), 0);
  EXPECT_EQ(episode.FindAttribute("total_steps"), 33);
  Episode read;
  ReadEpisode(file.root(), 0, 33, SampleDescription().shape(), read);
  const Episode expected = SampleEpisode(1, 33, 1);
  EXPECT_EQ(read.observations, expected.observations);
  EXPECT_EQ(read.quantities, expected.quantities);
  EXPECT_EQ(read.truncations, expected.truncations);
}

TEST_F(MinariExport, RefusesAPathWhereSomethingIs) {
  scratch_.Write("out", "");
  EXPECT_THAT(ErrorOf([&] {
                ExportMinari(Dataset::Open(scratch_.path() / "from"), scratch_.path() / "out", {});
              }),
              HasSubstr("it already exists"));
}

// Whether it is an episode or the last bytes of the file that find no room.
TEST(MinariExportTo, AFullDiskIsAnErrorAndLeavesNothing) {
  for (const int steps : {32, 200, 2000}) {
    const test::ScratchFolder source, target;
    DatasetWriter writer(source.path() / "a", SampleDescription());
    writer.AddPolicy(SamplePolicy(0, 5));
    for (int i = 0; i < 40000 / steps; ++i) writer.Append(SampleEpisode(0, steps, 0));
    writer.Commit({{"seed", 11}});
    const Dataset dataset = Dataset::Open(source.path() / "a");
    const test::SmallDisk disk(target.path());
    const std::string error = ErrorOf([&] { ExportMinari(dataset, target.path() / "out-v0", {}); });
    EXPECT_THAT(error, testing::AnyOf(HasSubstr("No space left"), HasSubstr("File too large")));
    EXPECT_THAT(target.List(), IsEmpty());
  }
}

}  // namespace
}  // namespace rhumb::data
