#include "rhumb/core/files/work_folder.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::ErrorOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

const json kRun = {{"seed", 3}, {"config", {{"epochs", 20}}}};

TEST(WorkFolder, IsMadeReopenedAndRemoved) {
  const test::ScratchFolder scratch;
  const fs::path out = scratch.path() / "deep" / "model";
  const WorkFolder folder(out, kRun);
  EXPECT_EQ(folder.path(), scratch.path() / "deep" / "model.work");
  EXPECT_EQ(json::parse(test::Contents(folder.path() / "run.json")), kRun);
  std::ofstream(folder.path() / "epoch_00001.safetensors") << "state";

  EXPECT_EQ(WorkFolder(out, kRun).path(), folder.path());
  EXPECT_EQ(test::Contents(folder.path() / "epoch_00001.safetensors"), "state") << "kept";
  EXPECT_FALSE(fs::exists(out)) << "the artefact's own place stays free";
  folder.Remove();
  EXPECT_FALSE(fs::exists(folder.path()));
}

TEST(WorkFolder, AnotherRunIsRefusedWithWhatDiffers) {
  const test::ScratchFolder scratch;
  const WorkFolder folder(scratch.path() / "model", kRun);
  const std::string before = test::Contents(folder.path() / "run.json");
  const auto complaint = [&](const char* key, const json& value) {
    json run = kRun;
    run[key] = value;
    return ErrorOf([&] { WorkFolder(scratch.path() / "model", run); });
  };
  EXPECT_THAT(complaint("seed", 4), AllOf(HasSubstr("model.work"), HasSubstr("'seed' is 3, not 4"),
                                          HasSubstr("another output")));
  EXPECT_THAT(complaint("config", {{"epochs", 21}}), HasSubstr("'config.epochs' is 20, not 21;"));
  EXPECT_THAT(complaint("config", json::object()),
              HasSubstr(R"('config' is {"epochs":20}, not {})"));
  EXPECT_THAT(complaint("device", "cpu"), HasSubstr("'device' is null, not \"cpu\""));
  EXPECT_EQ(complaint("seed", 3), "");
  EXPECT_EQ(test::Contents(folder.path() / "run.json"), before);
}

TEST(WorkFolder, AFinishedRunWithOtherSettingsIsRefused) {
  const json made = {{"seed", 3}, {"config", {{"epochs", 4}, {"rate", 0.5}}}, {"seconds", 7}};
  const auto error_of = [&](const json& run) {
    return test::ErrorOf([&] { RequireSameRun(run, made, "a.model"); });
  };
  RequireSameRun({{"seed", 3}, {"config", {{"epochs", 4}}}}, made, "a.model");
  RequireSameRun({{"config", {{"epochs", 4}, {"newer", 1}}}}, made, "a.model");
  EXPECT_THAT(error_of({{"config", {{"epochs", 5}}}}),
              HasSubstr("'a.model' is finished, and its 'config.epochs' is 4, not 5"));
  EXPECT_THAT(error_of({{"seed", 4}}), HasSubstr("'seed' is 3, not 4"));
}

TEST(WorkFolder, DamageIsAnError) {
  const test::ScratchFolder scratch;
  for (const char* text : {"", "{", "[1, 2]", "3"}) {
    fs::create_directories(scratch.path() / "model.work");
    std::ofstream(scratch.path() / "model.work" / "run.json") << text;
    EXPECT_THAT(ErrorOf([&] { WorkFolder(scratch.path() / "model", kRun); }),
                AllOf(HasSubstr("run.json"), HasSubstr("damaged")))
        << text;
  }
}

// A run was killed while it removed its work: a hidden folder that no process locks is left.
TEST(WorkFolder, ARemovalThatWasCutOffIsFinished) {
  const test::ScratchFolder scratch;
  const fs::path rest = scratch.path() / ".model.work.tmp-1-0" / "removed";
  const fs::path other = scratch.path() / ".model.work.tmp-precious";
  fs::create_directories(rest);
  fs::create_directories(other);
  scratch.Write(".model.work.tmp-1-0/removed/epoch_00001.safetensors", "state");
  fs::create_directories(scratch.path() / "model");
  scratch.Write("model/manifest.json", kRun.dump());
  RemoveSpentWork(scratch.path() / "model");
  EXPECT_FALSE(fs::exists(rest.parent_path()));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::exists(scratch.path() / "model" / "manifest.json"));
}

// The artefact records that it came from this run, so the remaining work is removed. The work of
// another run stays, and so does work beside an artefact without a record.
TEST(WorkFolder, SpentWorkIsRemoved) {
  const test::ScratchFolder scratch;
  const fs::path out = scratch.path() / "model";
  const auto left_after = [&](const std::string& manifest) {
    const WorkFolder folder(out, kRun);
    fs::create_directories(out);
    scratch.Write("model/manifest.json", manifest);
    RemoveSpentWork(out);
    fs::remove_all(out);
    return fs::exists(folder.path());
  };
  json manifest = kRun;
  manifest["wall_seconds"] = 5;
  EXPECT_FALSE(left_after(manifest.dump()));
  manifest["seed"] = 4;
  EXPECT_TRUE(left_after(manifest.dump()));
  EXPECT_TRUE(left_after("{"));
  EXPECT_TRUE(left_after("{}"));
  RemoveSpentWork(scratch.path() / "nothing");

  // Starting again with the same OUT also removes it: no earlier work is found.
  const fs::path state = WorkFolder(out, kRun).path() / "epoch_00001.safetensors";
  std::ofstream(state) << "state";
  fs::create_directories(out);
  scratch.Write("model/manifest.json", kRun.dump());
  const WorkFolder again(out, kRun);
  EXPECT_FALSE(fs::exists(state));
}

// A file exists in place of the folder.
TEST(WorkFolder, AFolderThatCannotBeMadeIsNamed) {
  const test::ScratchFolder scratch;
  const fs::path file = scratch.Write("file", "");
  EXPECT_THAT(ErrorOf([&] { WorkFolder(file / "model", kRun); }),
              HasSubstr("cannot make the folder"));
}

TEST(WorkFolder, NumberedFiles) {
  const test::ScratchFolder scratch;
  EXPECT_EQ(NumberedFile("work", "state", 10), fs::path("work/state_00010.safetensors"));
  EXPECT_EQ(NumberedFile("work", "dagger", 10'000'050),
            fs::path("work/dagger_10000050.safetensors"));
  EXPECT_THAT(NumbersOf(scratch.path() / "nowhere", "state"), IsEmpty());

  for (const std::int64_t number : {0, 7, 123'456}) {
    scratch.Write(NumberedFile("", "state", number).string(), "");
  }
  // None of these is a state.
  for (const char* name : {"states_00001.safetensors", "state_1.safetensors", "state_00002",
                           "state_00003.safetensors.part", "state_x.safetensors", "state_",
                           "other_00004.safetensors"}) {
    scratch.Write(name, "");
  }
  EXPECT_THAT(NumbersOf(scratch.path(), "state"), ElementsAre(0, 7, 123'456));
  EXPECT_THAT(NumbersOf(scratch.path(), "other"), ElementsAre(4));

  RemoveOthers(scratch.path(), "state", 7);
  EXPECT_THAT(NumbersOf(scratch.path(), "state"), ElementsAre(7));
  EXPECT_EQ(scratch.List().size(), 1u + 7u) << "files of another kind stay";
  RemoveOthers(scratch.path(), "state", 8);
  EXPECT_THAT(NumbersOf(scratch.path(), "state"), IsEmpty());
  RemoveOthers(scratch.path() / "nowhere", "state", 8);
}

// Else a run with too many open files would end well, with a part of its policies.
TEST(WorkFolder, AFolderThatCannotBeReadIsNotAnEmptyOne) {
  const test::ScratchFolder scratch;
  scratch.Write("file", "");
  EXPECT_THAT(test::ErrorOf([&] { NumbersOf(scratch.path() / "file", "state"); }),
              AllOf(HasSubstr("cannot read the folder"), EndsWith("file: Not a directory")));
}

}  // namespace
}  // namespace rhumb::core
