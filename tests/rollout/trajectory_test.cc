#include "rhumb/rollout/trajectory.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/data/sample_dataset.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {
namespace {

using data::Field;
using nlohmann::json;
using test::ErrorOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsNan;

// The point mass, and a model whose code is the mean action.
class TrajectoryTest : public testing::Test {
 protected:
  // 8 steps, the size of a context, with the same push in each.
  static json Document() {
    return {{"env", "point-v0"},
            {"rewards", "two"},
            {"observations", json(std::vector<json>(9, {0.125, -1}))},
            {"actions", json(std::vector<json>(8, {0.5, -0.25}))},
            {"returns", {{"energy", -2.5}}}};
  }
  Trajectory Read(const json& document) const {
    return ReadTrajectory(scratch_.Write("t.json", document.dump()), std::nullopt, model_);
  }
  std::string ErrorOfReading(const json& document) const {
    return ErrorOf([&] { Read(document); });
  }

  const test::ScratchFolder scratch_;
  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const net::Model model_ = EchoModel(DescribeRecordings(environment_), 0);
};

TEST_F(TrajectoryTest, TheCodeOfASteadyPushIsThePush) {
  for (const std::size_t observations : {8, 9}) {
    json document = Document();
    document["observations"] = json(std::vector<json>(observations, {0.125, -1}));
    const Trajectory trajectory = Read(document);
    EXPECT_EQ(trajectory.steps.count(), 8);
    EXPECT_THAT(trajectory.steps[Field::kObservations].row(7), ElementsAre(0.125F, -1));
    EXPECT_THAT(trajectory.steps[Field::kActions].row(7), ElementsAre(0.5F, -0.25F));
    EXPECT_THAT(trajectory.values, ElementsAre(IsNan(), -2.5));
    EXPECT_THAT(EncodeTrajectory(model_, trajectory, {.draws = 3}), ElementsAre(0.5F, -0.25F));
  }
}

TEST_F(TrajectoryTest, ACodeIsTheMeanOverTheDraws) {
  json document = Document();
  for (int t = 0; t < 8; ++t) document["actions"][static_cast<std::size_t>(t)] = {0.125 * t, 0};
  const Trajectory trajectory = Read(document);
  const EncodeOptions options{.draws = 4, .seed = 2};
  const std::vector<float> each = EncodeEpisodes(model_, trajectory.steps, options);
  // Sums of eighths are exact.
  EXPECT_THAT(EncodeTrajectory(model_, trajectory, options),
              ElementsAre((each[0] + each[2] + each[4] + each[6]) / 4, 0));
  EXPECT_NE(each[0], each[2]);
}

TEST_F(TrajectoryTest, WhatIsWrittenIsReadBack) {
  CodeRunOptions options{.steps = 20, .job = {.quiet = true}};
  data::Episode played;
  options.on_episode = [&](int, int, const data::Episode& recorded) { played = recorded; };
  const std::vector<float> code = {0.3F, -0.7F};
  const CodeRun run = RollOutCodes(environment_, model_, code, options).value();
  const std::filesystem::path file = scratch_.path() / "w.json";
  WriteTrajectory(file, environment_, played, core::NamesOf(model_.description.objectives),
                  run.values);
  const Trajectory trajectory = ReadTrajectory(file, std::nullopt, model_);
  EXPECT_EQ(trajectory.values, run.values);
  ASSERT_EQ(trajectory.steps.count(), 20);
  for (std::size_t t = 0; t < 20; ++t) {
    const auto row = static_cast<std::int64_t>(t);
    EXPECT_THAT(trajectory.steps[Field::kObservations].row(row),
                ElementsAre(played.observations[2 * t], played.observations[2 * t + 1]));
    EXPECT_THAT(trajectory.steps[Field::kActions].row(row),
                ElementsAre(played.actions[2 * t], played.actions[2 * t + 1]));
  }
  EXPECT_EQ(json::parse(test::Contents(file)).at("observations").size(), 21u);
  EXPECT_FALSE(trajectory.whole) << "20 of 100 steps";
  played.terminations.back() = 1;
  WriteTrajectory(file, environment_, played, core::NamesOf(model_.description.objectives),
                  run.values);
  EXPECT_TRUE(ReadTrajectory(file, std::nullopt, model_).whole) << "it fell";
}

// An episode of the point mass has 100 steps.
TEST_F(TrajectoryTest, OneThatWasCutShortIsNotWhole) {
  json document = Document();
  EXPECT_FALSE(Read(document).whole);
  document["terminated"] = true;
  EXPECT_TRUE(Read(document).whole);
  document.erase("terminated");
  document["observations"] = json(std::vector<json>(100, {0, 0}));
  document["actions"] = document["observations"];
  EXPECT_TRUE(Read(document).whole);
  document["actions"].erase(99);
  EXPECT_FALSE(Read(document).whole);
}

// Episode 1 has 33 steps; its returns are 1 and -1.
TEST_F(TrajectoryTest, AnEpisodeOfADatasetIsOneToo) {
  data::WriteSampleDataset(scratch_.path() / "d");
  const net::Model model = EchoModel(data::SampleDescription(), 0);
  const Trajectory trajectory = ReadTrajectory(scratch_.path() / "d", 1, model);
  EXPECT_EQ(trajectory.steps.count(), 33);
  EXPECT_THAT(trajectory.steps.episodes, ElementsAre(1));
  EXPECT_THAT(trajectory.values, ElementsAre(1, -1));
  EXPECT_TRUE(trajectory.whole) << "datasets have whole episodes";

  const auto error_of = [&](std::optional<std::int64_t> episode) {
    return ErrorOf([&] { ReadTrajectory(scratch_.path() / "d", episode, model); });
  };
  EXPECT_THAT(error_of(std::nullopt), EndsWith("is a dataset; choose one of its episodes, 0 to 2"));
  EXPECT_THAT(error_of(3), HasSubstr("episode 3 is not in "));
  EXPECT_THAT(error_of(-1), EndsWith("has the episodes 0 to 2"));
  const std::filesystem::path file = scratch_.Write("t.json", Document().dump());
  EXPECT_THAT(ErrorOf([&] { ReadTrajectory(file, 0, model_); }),
              HasSubstr("episode 0 needs a dataset"));
}

TEST_F(TrajectoryTest, WhatDoesNotFitIsSaid) {
  const auto with = [](const char* key, const json& value) {
    json document = Document();
    document[key] = value;
    return document;
  };
  EXPECT_EQ(ErrorOfReading(Document()), "");
  EXPECT_THAT(ErrorOfReading(with("env", "mo-hopper-v5")),
              EndsWith("t.json belongs to 'mo-hopper-v5' with the rewards 'two', the model to "
                       "'point-v0' with the rewards 'two'"));
  EXPECT_THAT(ErrorOfReading(with("env", 3)), EndsWith("t.json: 'env' is 3, not a text"));
  EXPECT_THAT(ErrorOfReading(with("rewards", "three")),
              HasSubstr("belongs to 'point-v0' with the rewards 'three', the model to 'point-v0' "
                        "with the rewards 'two'"));
  EXPECT_THAT(ErrorOfReading(with("observations", json(std::vector<json>(10, {0, 0})))),
              HasSubstr("10 observations do not fit 8 actions"));
  EXPECT_THAT(ErrorOfReading(with("actions", {{1, 2}})), HasSubstr("9 observations"));
  EXPECT_THAT(ErrorOfReading(with("actions", 1)), HasSubstr("'actions' must be a list of lists"));
  EXPECT_THAT(ErrorOfReading(with("returns", {{"energy", "low"}})),
              EndsWith("t.json: returns.energy is a text; it must be a number"));
  EXPECT_THAT(ErrorOfReading(with("terminated", 1)),
              EndsWith("t.json: 'terminated' is 1; it must be true or false"));
  EXPECT_THAT(ErrorOfReading(with("returns", 1)), HasSubstr("'returns' must be numbers"));
  EXPECT_THAT(ErrorOfReading(json::array()), HasSubstr("a trajectory must be an object"));

  json document = Document();
  document["actions"][3] = {1};
  EXPECT_THAT(ErrorOfReading(document),
              EndsWith("t.json: actions[3] has 1 numbers; it must have 2"));
  document = Document();
  document["observations"][8] = {0, nullptr};
  EXPECT_THAT(ErrorOfReading(document), HasSubstr("t.json: observations[8][1] is null"))
      << "the last observation is checked though nothing acts in it";
  document = Document();
  document.erase("actions");
  EXPECT_THAT(ErrorOfReading(document), EndsWith("t.json: 'actions' is missing"));
  document = Document();
  document["actions"] = json(std::vector<json>(7, {0, 0}));
  document["observations"] = document["actions"];
  EXPECT_THAT(ErrorOfReading(document), HasSubstr("has 7 steps; a context of the model takes 8"));
  EXPECT_THAT(ErrorOf([&] { ReadTrajectory(scratch_.path() / "none", std::nullopt, model_); }),
              HasSubstr("none"));
}

}  // namespace
}  // namespace rhumb::rollout
