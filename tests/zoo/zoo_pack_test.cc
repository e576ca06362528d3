#include "rhumb/zoo/zoo_pack.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/net/safetensors.h"
#include "tests/data/sample_dataset.h"
#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::zoo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kTask = R"({"target": {"forward": 1}, "require": ["energy>=-5"]})";

// A model run/models/ours of a dataset run/d-v0, as `rhumb reproduce` leaves them.
class ZooPack : public testing::Test {
 protected:
  ZooPack() {
    ::setenv("RHUMB_PYTHON", "/nonexistent", 1);  // no picture: drawing would dominate the run time
    fs::create_directories(Path("run/models"));
    data::WriteSampleDataset(Path("run/d-v0"));
    data_hash_ = core::Artifact::Open(Path("run/d-v0"), "").hash();
    net::Model model =
        net::SampleModelOf({.id = "sample-v0", .rewards = "upstream", .spec = "", .files = {}},
                           {"forward", "energy"}, {});
    model.provenance = std::make_shared<const json>(json{{"dataset", data_hash_}});
    net::WriteModel(model, Path("run/models/ours"), core::Existing::kRefuse, {{"seed", 7}});
    request_.model = Path("run/models/ours");
    request_.out = Path("entry");
  }

  std::string Path(const std::string& name) const { return scratch_.path() / name; }
  void Stamp(const std::string& output, const std::vector<std::string>& command) const {
    scratch_.Write("run/" + output + ".stamp",
                   json{{"hash", ""}, {"command", command}, {"wall_seconds", 1}}.dump());
  }
  json Manifest() const { return core::Artifact::Open(request_.out, "model").manifest(); }
  std::string Refusal() const {
    const std::string sentence = test::ErrorOf([&] { PackEntry(request_); });
    EXPECT_THAT(scratch_.List(), testing::Not(testing::Contains(HasSubstr("entry"))));
    return sentence;
  }

  const test::ScratchFolder scratch_;
  std::string data_hash_;
  PackRequest request_;
};

TEST_F(ZooPack, AnEntryIsAModelWithMore) {
  request_.data = Path("run/d-v0");
  request_.tasks = scratch_.Write("t.jsonl", std::string(kTask) + "\n" + kTask + "\n");
  const PackedEntry entry = PackEntry(request_);
  EXPECT_EQ(entry.tasks, 2);
  EXPECT_EQ(entry.held_out_policies, 2);
  EXPECT_THAT(entry.commands, ElementsAre());

  EXPECT_EQ(net::ReadModel(request_.out).training.codes,
            net::ReadModel(request_.model).training.codes);
  EXPECT_EQ(test::Contents(request_.out / "tasks.jsonl"), test::Contents(request_.tasks));
  EXPECT_THAT(net::SafetensorsFile(request_.out / "held_out.safetensors").Doubles("returns"),
              ElementsAre(1, -1, 2, -2));
  EXPECT_EQ(core::ReadJson(request_.out / "signature.json", 1 << 20)["env"], "sample-v0");
  EXPECT_THAT(test::Contents(request_.out / "README.md"),
              testing::AllOf(HasSubstr("the 2 tasks"), HasSubstr("of 2 policies")));
  const json manifest = Manifest();
  EXPECT_EQ(manifest["parents"]["dataset"], data_hash_);
  EXPECT_EQ(manifest["dataset"]["seed"], 11);
  EXPECT_EQ(manifest["model"]["seed"], 7);
  EXPECT_EQ(manifest["parents"]["model"], core::Artifact::Open(request_.model, "").hash());
  std::uintmax_t bytes = 0;
  for (const json& file : manifest["files"]) bytes += file["bytes"].get<std::uintmax_t>();
  EXPECT_EQ(entry.bytes, bytes);
}

// Held-out policies, tasks and history stay when a model is grounded again.
TEST_F(ZooPack, AnEntryCanBeMadeFromAnEarlierOne) {
  Stamp("models/ours", {"model", "train", "--out", "models/ours"});
  request_.data = Path("run/d-v0");
  request_.tasks = scratch_.Write("t.jsonl", std::string(kTask) + "\n");
  PackEntry(request_);
  const std::string earlier = request_.out;
  const net::Model model = net::ReadModel(earlier);
  const json fields = {{"command", "model ground"},
                       {"seed", 3},
                       {"parents", {{"model", core::Artifact::Open(earlier, "").hash()}}}};
  net::WriteModel(model, Path("again"), core::Existing::kRefuse, fields);
  request_ = {};
  request_.model = Path("again");
  request_.from = earlier;
  request_.out = Path("second");
  const PackedEntry entry = PackEntry(request_);
  EXPECT_EQ(entry.tasks, 1);
  EXPECT_EQ(entry.held_out_policies, 2);
  EXPECT_THAT(entry.commands, ElementsAre("rhumb model train --out models/ours",
                                          "rhumb model ground entry --out again --seed 3"));
  EXPECT_EQ(test::Contents(request_.out / "held_out.safetensors"),
            test::Contents(earlier + "/held_out.safetensors"));
  EXPECT_EQ(Manifest()["dataset"]["hash"], data_hash_);

  // A model that was grounded while the one before it was packed belongs to that entry too. Tasks
  // that are named replace the entry's.
  const json of_packed = {{"command", "model ground"},
                          {"seed", 4},
                          {"parents", {{"model", core::Artifact::Open(Path("again"), "").hash()}}}};
  net::WriteModel(model, Path("twice"), core::Existing::kRefuse, of_packed);
  PackRequest beside;
  beside.model = Path("twice");
  beside.from = Path("second");
  beside.out = Path("beside");
  beside.tasks = scratch_.Write("two.jsonl", std::string(kTask) + "\n" + kTask + "\n");
  const PackedEntry grounded_twice = PackEntry(beside);
  EXPECT_EQ(grounded_twice.tasks, 2);
  EXPECT_EQ(grounded_twice.commands.back(), "rhumb model ground second --out twice --seed 4");

  // An entry packed again keeps its history.
  const json before = Manifest();
  request_.model = request_.from = Path("second");
  request_.out = Path("renewed");
  EXPECT_EQ(PackEntry(request_).commands, entry.commands);
  for (const char* name : {"parents", "model", "dataset", "commands"}) {
    EXPECT_EQ(Manifest()[name], before[name]) << name;
  }

  request_.from = Path("run/models/ours");
  request_.out = Path("third");
  EXPECT_THAT(test::ErrorOf([&] { PackEntry(request_); }), HasSubstr("was not made from"));
}

// A command follows the commands whose outputs it names. Words without a stamp are ignored.
TEST_F(ZooPack, CommandsComeFromStamps) {
  Stamp("models/ours", {"model", "ground", "models/raw", "--out", "models/ours"});
  Stamp("models/raw", {"model", "train", "--data", "d-v0", "--out", "models/raw"});
  Stamp("d-v0", {"dataset", "collect", "p", "--out", "d-v0"});
  PackEntry(request_);
  const json commands = Manifest()["commands"];
  EXPECT_THAT(commands.get<std::vector<std::string>>(),
              ElementsAre("rhumb dataset collect p --out d-v0",
                          "rhumb model train --data d-v0 --out models/raw",
                          "rhumb model ground models/raw --out models/ours"));
  EXPECT_THAT(test::Contents(request_.out / "README.md"),
              HasSubstr("    rhumb dataset collect p --out d-v0\n"));
}

TEST_F(ZooPack, WithoutDataAndTasksTheyAreLeftOut) {
  PackEntry(request_);
  EXPECT_FALSE(fs::exists(request_.out / "held_out.safetensors"));
  EXPECT_FALSE(fs::exists(request_.out / "tasks.jsonl"));
  EXPECT_FALSE(Manifest()["parents"].contains("dataset"));
}

TEST_F(ZooPack, OtherDataIsRefused) {
  data::DatasetWriter writer(Path("other"), data::SampleDescription());
  writer.AddPolicy(data::SamplePolicy(0, 5));
  writer.Append(data::SampleEpisode(0, 40, 0));
  writer.Commit({{"seed", 12}});
  request_.data = Path("other");
  EXPECT_THAT(Refusal(), testing::AllOf(HasSubstr(request_.data), HasSubstr(data_hash_)));
}

TEST_F(ZooPack, TasksOfAnotherModelAreRefused) {
  request_.tasks = scratch_.Write("t.jsonl", R"({"target": {"height": 1}})");
  EXPECT_THAT(Refusal(), testing::AllOf(HasSubstr("t.jsonl:1"), HasSubstr("'height'")));
}

TEST_F(ZooPack, MoreThanSixMegabytesAreRefused) {
  std::string lines;
  while (lines.size() < kMaxEntryBytes) lines += std::string(kTask) + std::string(400, ' ') + "\n";
  request_.tasks = scratch_.Write("t.jsonl", lines);
  EXPECT_THAT(Refusal(), testing::AllOf(HasSubstr("entry would have"), HasSubstr("6000000")));
}

}  // namespace
}  // namespace rhumb::zoo
