#include "rhumb/data/dataset_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rhumb/core/files/file.h"
#include "tests/data/sample_dataset.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::data {
namespace {

using nlohmann::json;
using test::ErrorOf;
using testing::AllOf;
using testing::HasSubstr;

DatasetIndex SampleIndex() {
  DatasetIndex index;
  index.description = SampleDescription();
  index.policies = {SamplePolicy(0, 5), SamplePolicy(1, 10)};
  index.policies[1].split = Split::kHeldOutWeight;
  index.episodes = {{.policy = 1, .steps = 40, .seed = 11, .returns = {1.5, -2}},
                    {.policy = 0, .steps = 33, .seed = 12, .returns = {0, 0.1}}};
  index.normalisation = {.observation_mean = {1, 2, 3},
                         .observation_std = {4, 5, 6},
                         .return_mean = {7, 8},
                         .return_std = {9, 10}};
  return index;
}

// Writes the document as dataset.json of an artefact, beside the environment's files.
core::Artifact Store(const test::ScratchFolder& scratch, const std::string& document) {
  const std::filesystem::path folder = scratch.path() / "sample";
  core::ArtifactWriter writer(folder, "dataset", core::Existing::kReplace);
  core::WriteFileAtomically(writer.file("dataset.json"), document);
  core::WriteBundle(SampleDescription().environment, writer);
  writer.Commit(json::object());
  return core::Artifact::Open(folder, "dataset");
}

template <class Change>
std::string ErrorAfter(Change change) {
  const test::ScratchFolder scratch;
  json document = ToJson(SampleIndex());
  change(document);
  return ErrorOf([&] { ReadDatasetIndex(Store(scratch, document.dump())); });
}

TEST(DatasetIndex, ComesBackEqual) {
  const test::ScratchFolder scratch;
  const json document = ToJson(SampleIndex());
  const DatasetIndex read = ReadDatasetIndex(Store(scratch, document.dump()));
  EXPECT_EQ(ToJson(read), document);
  EXPECT_EQ(read.episodes[0].policy, 1);
  EXPECT_EQ(read.episodes[1].returns[1], 0.1);
  EXPECT_EQ(read.normalisation.return_std[1], 10);
  EXPECT_EQ(read.description.objectives[0].unit, "m");
  EXPECT_EQ(read.description.environment.files, SampleDescription().environment.files);
  EXPECT_EQ(read.transitions(), 73);
}

TEST(DatasetIndex, KnowsWhatIsUnseen) {
  DatasetDescription description = SampleDescription();
  EXPECT_FALSE(ToJson(description).contains("unseen"));
  description.unseen = {0, 2};
  EXPECT_EQ(DescriptionFromJson(ToJson(description), "here").unseen, description.unseen);
}

// Datasets on people's disks have these keys.
TEST(DatasetIndex, KeepsItsFormat) {
  const json document = ToJson(SampleIndex());
  EXPECT_EQ(document["format"], 2);
  EXPECT_EQ(document["episodes"],
            json::parse(R"({"policy": [1, 0], "steps": [40, 33], "seed": [11, 12],
                            "returns": [[1.5, -2.0], [0.0, 0.1]]})"));
  EXPECT_EQ(document["normalisation"]["split"], "train");
  EXPECT_EQ(document["description"]["objectives"][0],
            json::parse(R"({"name": "forward", "unit": "m"})"));
  EXPECT_EQ(document["description"]["action_low"], json::parse("[-0.5, -1.0]"));
  EXPECT_EQ(document["policies"][1]["split"], "held_out_weight");
}

TEST(DatasetIndex, ADamagedOneIsRefused) {
  EXPECT_THAT(ErrorAfter([](json& d) { d["episodes"]["policy"][1] = 2; }),
              HasSubstr("episode 1 belongs to policy 2, but there are only 2"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["episodes"]["steps"] = {40}; }),
              HasSubstr("episodes.steps has 1 numbers, not 2"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["episodes"]["seed"][0] = "x"; }),
              HasSubstr("dataset.json is damaged"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["episodes"]["steps"][0] = 40.5; }),
              HasSubstr("'steps' is 40.5, expected a whole number"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["episodes"]["policy"][0] = 1e99; }),
              HasSubstr("'policy' is 1e+99, expected a whole number"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["format"] = 2.5; }),
              HasSubstr("'format' is 2.5, expected a whole number"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["episodes"]["policy"] = 3; }),
              HasSubstr("dataset.json is damaged"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["episodes"]["steps"][0] = -1; }),
              HasSubstr("episode 0 has -1 steps"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["episodes"]["returns"][0] = {1}; }),
              HasSubstr("the return of episode 0 has 1 numbers, not 2"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["policies"][0]["weights"] = {1}; }),
              HasSubstr("a policy has 1 numbers, not 2"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["policies"][0]["split"] = "held_out_wieght"; }),
              HasSubstr("did you mean 'held_out_weight'?"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["normalisation"]["return_mean"] = {1}; }),
              HasSubstr("return_mean has 1 numbers, not 2"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["normalisation"]["observation_std"] = {1}; }),
              HasSubstr("observation_std has 1 numbers, not 3"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["format"] = 1; }),
              HasSubstr("has format 1; this version of Rhumb reads 2"));
  EXPECT_THAT(ErrorAfter([](json& d) { d["description"].erase("qpos_size"); }),
              AllOf(HasSubstr("dataset.json is damaged"), HasSubstr("qpos_size")));
}

TEST(DatasetIndex, AFileCutShortIsRefused) {
  const test::ScratchFolder scratch;
  EXPECT_THAT(ErrorOf([&] { ReadDatasetIndex(Store(scratch, "{")); }),
              HasSubstr("dataset.json: not valid JSON"));
}

TEST(DatasetDescription, IsChecked) {
  const auto error_of = [](auto change) {
    DatasetDescription description = SampleDescription();
    change(description);
    return ErrorOf([&] { CheckDescription(description, "here"); });
  };
  EXPECT_THAT(error_of([](auto& d) { d.objectives.clear(); }),
              HasSubstr("here: the number of objectives is 0"));
  EXPECT_THAT(error_of([](auto& d) { d.objectives[1].name = "forward"; }),
              HasSubstr("two objectives are called 'forward'"));
  EXPECT_THAT(error_of([](auto& d) { d.quantities[0] = "a b"; }),
              HasSubstr("'a b' is not a valid quantity name"));
  EXPECT_THAT(error_of([](auto& d) { d.observation_size = 0; }),
              HasSubstr("observation_size is 0, it must be from 1"));
  EXPECT_THAT(error_of([](auto& d) {
                d.unseen = {0, 3};
              }),
              HasSubstr("an observation has no number 3, which is called unseen"));
  EXPECT_THAT(error_of([](auto& d) { d.action_high.pop_back(); }),
              HasSubstr("action_high has 1 numbers, not 2"));
  EXPECT_THAT(error_of([](auto& d) { d.action_low[1] = 2; }),
              HasSubstr("action 1 ranges from 2 to 1"));
}

}  // namespace
}  // namespace rhumb::data
