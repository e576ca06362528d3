#include "rhumb/data/dataset_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "rhumb/data/dataset.h"
#include "tests/data/sample_dataset.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/small_disk.h"

// HDF5 leaks some of its own memory if it cannot close a file on a full disk.
extern "C" __attribute__((visibility("default"))) const char*
__lsan_default_suppressions() {  // NOLINT(readability-identifier-naming)
  return "leak:libhdf5";
}

namespace rhumb::data {
namespace {

namespace fs = std::filesystem;
using test::Contents;
using test::ErrorOf;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Outcome = DatasetWriter::Outcome;

TEST(DatasetWriter, ShortEpisodesAreMeasuredButNotWritten) {
  const ScratchFolder scratch;
  DatasetWriter writer(scratch.path() / "a", SampleDescription());
  const int policy = writer.AddPolicy(SamplePolicy(0, 5));
  EXPECT_EQ(writer.Append(SampleEpisode(policy, 31, 2)), Outcome::kTooShort);
  EXPECT_EQ(writer.Append(SampleEpisode(policy, 33, 4)), Outcome::kWritten);
  EXPECT_EQ(writer.policies()[0].mean_length, 32);
  EXPECT_EQ(writer.policies()[0].mean_return, (std::vector<double>{3, -3}));
  EXPECT_DOUBLE_EQ(writer.policies()[0].std_return[0], std::sqrt(2.0));
  EXPECT_GT(writer.policies()[0].motion, 0);
  writer.Commit(kNoFields);
  const DatasetIndex index = Dataset::Open(scratch.path() / "a").index();
  EXPECT_EQ(index.episodes.size(), 1u);
  EXPECT_EQ(index.policies[0].short_episodes, 1);
  EXPECT_EQ(index.policies[0].measured_episodes, 2);
}

TEST(DatasetWriter, WhicheverAllocationFailsTheFolderIsWholeOrAbsent) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "a";
  const Episode episode = SampleEpisode(0, 40, 1);
  const std::size_t failed = test::FailEveryAllocationOfChildren(
      [&] {
        DatasetWriter writer(folder, SampleDescription());
        writer.AddPolicy(SamplePolicy(0, 5));
        writer.Append(episode);
        writer.Commit(kNoFields);
      },
      [&] {
        // The folder may be whole although a later allocation failed.
        if (!fs::exists(folder)) return;
        EXPECT_EQ(Dataset::Open(folder).index().episodes.size(), 1u);
        fs::remove_all(folder);
      },
      test::AllocationStep(7), "libhdf5");  // which uses a null pointer if its own memory runs out
  std::printf("allocations that failed: %zu\n", failed);
  EXPECT_GT(failed, 100u);
  EXPECT_THAT(scratch.List(), IsEmpty());
}

TEST(DatasetWriter, PoliciesLeftOutAreListedAndTheirEpisodesDropped) {
  const ScratchFolder scratch;
  DatasetWriter writer(scratch.path() / "a", SampleDescription());
  for (int i = 0; i < 4; ++i) writer.AddPolicy(SamplePolicy(i, 5));
  for (const int policy : {0, 1, 0, 2, 1}) {
    writer.Append(SampleEpisode(policy, 40, static_cast<float>(10 * policy)));
  }
  writer.policies()[0].verdict = Verdict::kFalls;
  writer.policies()[0].reason = "it falls";
  writer.Commit({{"seed", 3}});

  const Dataset dataset = Dataset::Open(scratch.path() / "a");
  std::vector<int> policies;
  for (const EpisodeRecord& episode : dataset.index().episodes) policies.push_back(episode.policy);
  EXPECT_THAT(policies, ElementsAre(1, 2, 1));
  Episode episode;
  for (std::int64_t i = 0; i < 3; ++i) {
    dataset.ReadEpisode(i, episode);
    EXPECT_EQ(episode.observations[0],
              static_cast<float>(10 * policies[static_cast<std::size_t>(i)]));
  }
  EXPECT_EQ(dataset.index().normalisation.return_mean[0], (10 + 20 + 10) / 3.0);
  EXPECT_EQ(dataset.index().policies[3].verdict, Verdict::kNoEpisodes);
  const nlohmann::json& manifest = dataset.artifact().manifest();
  EXPECT_EQ(manifest["seed"], 3);
  EXPECT_EQ(manifest["counts"]["left_out"], (nlohmann::json{{"falls", 1}, {"no_episodes", 1}}));
  EXPECT_EQ(manifest["left_out"][0]["reason"], "it falls");
  // dataset.json, main_data.hdf5, metadata.json and the environment's spec
  EXPECT_EQ(manifest["files"].size(), 4u);
}

TEST(DatasetWriter, EqualDatasetsHaveEqualBytes) {
  const ScratchFolder scratch;
  fs::create_directories(scratch.path() / "b");
  WriteSampleDataset(scratch.path() / "sample");
  WriteSampleDataset(scratch.path() / "b/sample");
  for (const char* name : {"dataset.json", "data/main_data.hdf5", "data/metadata.json"}) {
    EXPECT_EQ(Contents(scratch.path() / "sample" / name),
              Contents(scratch.path() / "b/sample" / name))
        << name;
  }
}

TEST(DatasetWriter, UnusableEpisodesAreCountedUpToALimit) {
  const ScratchFolder scratch;
  DatasetWriter writer(scratch.path() / "a", SampleDescription(), {.max_unusable_episodes = 2});
  const int policy = writer.AddPolicy(SamplePolicy(0, 5));
  Episode episode = SampleEpisode(policy, 40, 0);
  episode.actions[7] = NAN;
  EXPECT_EQ(writer.Append(episode), Outcome::kUnusable);
  episode = SampleEpisode(policy, 40, 0);
  episode.diverged = true;
  EXPECT_EQ(writer.Append(episode), Outcome::kUnusable);
  EXPECT_EQ(writer.policies()[0].unusable_episodes, 2);
  EXPECT_EQ(writer.policies()[0].measured_episodes, 0);
  episode = SampleEpisode(policy, 40, 0);
  episode.vector_rewards[3] = INFINITY;
  EXPECT_THAT(ErrorOf([&] { writer.Append(episode); }),
              HasSubstr("3 of 3 episodes diverged or are not finite (the last one in its "
                        "vector_reward); at most 2 or 1 % are allowed"));
}

TEST(DatasetWriter, NothingToWriteIsAnError) {
  const ScratchFolder scratch;
  {
    DatasetWriter writer(scratch.path() / "a", SampleDescription());
    writer.Append(SampleEpisode(writer.AddPolicy(SamplePolicy(0, 5)), 20, 0));
    EXPECT_THAT(ErrorOf([&] { writer.Commit(kNoFields); }),
                HasSubstr("no episode is left to write; of 1 policies 1 no_episodes"));
  }
  EXPECT_THAT(scratch.List(), IsEmpty());
}

TEST(DatasetWriter, ABadDescriptionLeavesNothing) {
  const ScratchFolder scratch;
  DatasetDescription description = SampleDescription();
  description.objectives.clear();
  EXPECT_THAT(ErrorOf([&] { DatasetWriter(scratch.path() / "a", description); }),
              HasSubstr("the number of objectives"));
  EXPECT_THAT(scratch.List(), IsEmpty());
}

TEST(DatasetWriter, AFinishedDatasetIsNotOverwritten) {
  const ScratchFolder scratch;
  WriteSampleDataset(scratch.path() / "a");
  EXPECT_THAT(ErrorOf([&] { WriteSampleDataset(scratch.path() / "a"); }),
              HasSubstr("it already exists"));
  EXPECT_EQ(Dataset::Open(scratch.path() / "a").index().episodes.size(), 3u);
}

TEST(DatasetWriter, AKilledWriterLeavesNothingThatLooksFinished) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "a";
  const pid_t child = ::fork();
  if (child == 0) {
    DatasetWriter writer(folder, SampleDescription());
    writer.AddPolicy(SamplePolicy(0, 5));
    for (int i = 0; i < 50; ++i) writer.Append(SampleEpisode(0, 1000, 0));
    std::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(scratch.List().size(), 1u);  // the hidden temporary folder
  EXPECT_THAT(ErrorOf([&] { Dataset::Open(folder); }), HasSubstr("there is no folder"));
  WriteSampleDataset(folder);
  EXPECT_THAT(scratch.List(), ElementsAre("a"));
  Dataset::Open(folder).artifact().Verify();
}

// The disk fills up while writing an episode, the end of the file, or the index.
TEST(DatasetWriter, AFullDiskIsAnErrorAndLeavesNothing) {
  for (const int steps : {32, 200, 2000}) {
    const ScratchFolder scratch;
    const test::SmallDisk disk(scratch.path());
    const std::string error = ErrorOf([&] {
      DatasetWriter writer(scratch.path() / "a", SampleDescription());
      writer.AddPolicy(SamplePolicy(0, 5));
      for (int i = 0; i < 40000 / steps; ++i) writer.Append(SampleEpisode(0, steps, 0));
      writer.Commit(kNoFields);
    });
    EXPECT_THAT(error, HasSubstr("cannot write")) << steps;
    EXPECT_THAT(error, testing::AnyOf(HasSubstr("No space left"), HasSubstr("File too large")));
    EXPECT_THAT(error, HasSubstr("main_data.hdf5"));
    EXPECT_THAT(scratch.List(), IsEmpty());
  }
}

}  // namespace
}  // namespace rhumb::data
