#include "rhumb/eval/task.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/data/sample_dataset.h"
#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// Of the sample dataset: objectives forward (mean 0, std 2, from -6 to 6) and energy (mean 10, std
// 3); 12 training codes of 6 policies.
net::Model ModelOfSamples() {
  return net::SampleModelOf("sample-v0", "", "upstream", {"forward", "energy"}, {});
}

// The one episode of policy i returned (i, -i); policy 0 is for training.
TEST(Anchors, OfADatasetByHand) {
  const test::ScratchFolder scratch;
  data::WriteSampleDataset(scratch.path() / "d");
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  const net::ModelDescription model = ModelOfSamples().description;
  EXPECT_THAT(AnchorsOf(dataset, "held_out", model),
              ElementsAre(ElementsAre(1, -1), ElementsAre(2, -2)));
  EXPECT_THAT(AnchorsOf(dataset, "held_out_weight", model), ElementsAre(ElementsAre(2, -2)));
  EXPECT_THAT(AnchorsOf(dataset, "train", model), ElementsAre(ElementsAre(0, 0)));
}

TEST(Anchors, ADatasetWithoutAHeldOutPolicyIsSaid) {
  const test::ScratchFolder scratch;
  data::DatasetWriter writer(scratch.path() / "d", data::SampleDescription());
  writer.AddPolicy(data::SamplePolicy(0, 5));
  writer.Append(data::SampleEpisode(0, 40, 0));
  writer.Commit({{"seed", 11}});
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  EXPECT_THAT(test::ErrorOf([&] { AnchorsOf(dataset, "held_out", ModelOfSamples().description); }),
              HasSubstr("no policy in the split 'held_out'"));
}

TEST(Anchors, OfTheTrainingCodesByHand) {
  net::Model model;
  model.training.code_size = 1;
  model.training.objectives = 2;
  model.training.codes = {0, 0, 0};
  model.training.values = {1, 10, 5, 50, 3, 20};
  model.training.policies = {7, 4, 7};
  EXPECT_THAT(TrainingAnchors(model), ElementsAre(ElementsAre(5, 50), ElementsAre(2, 15)));
  model.training.policies.clear();
  EXPECT_THAT(TrainingAnchors(model),
              ElementsAre(ElementsAre(1, 10), ElementsAre(5, 50), ElementsAre(3, 20)));
}

// 0.15 of a range of 12 is 1.8.
TEST(MakeTasks, ByHand) {
  const net::Model model = ModelOfSamples();
  const Anchors anchors = {{1.7, 1}, {-3, 5}, {1.9, 7}};
  const std::vector<Task> tasks = MakeTasks(model, anchors, {.count = 300}, 1);
  ASSERT_EQ(tasks.size(), 300u);
  std::set<int> starts;
  std::set<double> targets;
  double least = 1, most = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    ASSERT_TRUE(task.init.has_value());
    starts.insert(*task.init);
    EXPECT_EQ(task.seed, i);
    ASSERT_EQ(task.query.targets.size(), 1u);
    ASSERT_EQ(task.query.requirements.size(), 1u);
    EXPECT_EQ(task.query.targets[0].quantity, "forward");
    EXPECT_EQ(task.query.requirements[0].quantity, "energy");
    EXPECT_EQ(task.query.requirements[0].high, steer::kUnbounded);
    targets.insert(task.query.targets[0].value);
    // What both came from was reached together; loosened by a share of a tenth of 3.
    const double reached = task.query.targets[0].value == -3 ? 5 : 7;
    const double share = (reached - task.query.requirements[0].low) / 0.3;
    least = std::min(least, share);
    most = std::max(most, share);
  }
  EXPECT_THAT(targets, ElementsAre(-3, 1.9)) << "1.7 is too near to 0";
  EXPECT_EQ(starts.size(), 12u) << "every training code is drawn, in 300 draws";
  EXPECT_EQ(*starts.begin(), 0);
  EXPECT_EQ(*starts.rbegin(), 11);
  // Of 300 uniform numbers all lie between 0.05 and 1, or below 0.95, with probability 2e-7.
  EXPECT_GE(least, -1e-12);
  EXPECT_LT(least, 0.05);
  EXPECT_LE(most, 1 + 1e-12);
  EXPECT_GT(most, 0.95);
}

TEST(MakeTasks, FewerTasksAndFewerRequirementsAreTheSameOnes) {
  const net::Model model = net::SampleModel({.labels = 3});
  const Anchors anchors = {{10, 1, 2}, {20, 3, 4}};
  const std::vector<Task> all = MakeTasks(model, anchors, {.count = 20}, 1);
  EXPECT_EQ(all[0].query.requirements.size(), 2u);
  const std::vector<Task> some = MakeTasks(model, anchors, {.count = 7, .requirements = 1}, 1);
  ASSERT_EQ(some.size(), 7u);
  for (std::size_t i = 0; i < some.size(); ++i) {
    Task shorter = all[i];
    shorter.query.requirements.pop_back();
    EXPECT_EQ(some[i], shorter);
  }
  EXPECT_NE(MakeTasks(model, anchors, {.count = 20}, 2), all);
  EXPECT_THAT(test::ErrorOf([&] { MakeTasks(model, anchors, {.requirements = 3}, 1); }),
              HasSubstr("3 requirements beside the target are asked for, and the model has 2"));
}

TEST(MakeTasks, TargetsNearZeroAloneAreSaid) {
  EXPECT_THAT(test::ErrorOf([] {
                MakeTasks(ModelOfSamples(), {{1.7, 1}, {-1, 5}}, {}, 1);
              }),
              HasSubstr("none of 2 policies has a forward beyond +-1.8, 0.15 of its range"));
}

class TaskFileTest : public testing::Test {
 protected:
  std::vector<Task> Read(const std::string& text) const {
    return ReadTasks(scratch_.Write("t.jsonl", text), model_);
  }
  std::string ErrorOf(const std::string& text) const {
    return test::ErrorOf([&] { Read(text); });
  }

  const test::ScratchFolder scratch_;
  const net::Model model_ = ModelOfSamples();
};

TEST_F(TaskFileTest, ByHand) {
  const std::vector<Task> tasks = Read(
      "{\"init\": 3, \"target\": {\"forward\": 4.5}, \"require\": [\"energy>=-5\"], \"seed\": 9}\n"
      "\r\n"
      "{\"target\": [\"forward=1 +- 0.5\"], \"init\": null}");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0], (Task{3, steer::Query().AddTarget("forward", 4.5).AtLeast("energy", -5), 9}));
  EXPECT_EQ(tasks[1], (Task{std::nullopt, steer::Query().AddTarget("forward", 1, 0.5), 0}));
}

TEST_F(TaskFileTest, WhatIsWrittenIsReadBack) {
  std::vector<Task> tasks = MakeTasks(model_, {{-3.1, 5}, {1.9, 7}}, {.count = 10}, 1);
  tasks.push_back({std::nullopt, steer::Query().AddTarget("forward", 1, 0.5), 3});
  tasks.push_back(
      {0, steer::Query().AddTarget("forward", 0.1).AddTarget("energy", -0.3), 1ULL << 40});
  WriteTasks(scratch_.path() / "w.jsonl", tasks);
  EXPECT_EQ(ReadTasks(scratch_.path() / "w.jsonl", model_), tasks);
  const std::string lines = test::Contents(scratch_.path() / "w.jsonl");
  const json first = json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_TRUE(first.at("target").at("forward").is_number());
  EXPECT_TRUE(first.at("require").at(0).is_string());
}

TEST_F(TaskFileTest, ErrorsNameTheLine) {
  const std::string good = "{\"target\": {\"forward\": 1}}\n";
  const std::string place = (scratch_.path() / "t.jsonl").string();
  EXPECT_EQ(ErrorOf(good + "\n{\"target\""), place + ":3: not JSON");
  EXPECT_THAT(ErrorOf(good + "7"), StartsWith(place + ":2: a query is an object"));
  EXPECT_THAT(ErrorOf("{\"target\": {\"forwrad\": 1}}"),
              AllOf(StartsWith(place + ":1: "), HasSubstr("'forwrad'"), HasSubstr("'forward'")));
  EXPECT_THAT(ErrorOf("{\"target\": {\"forward\": 1}, \"sede\": 1}"),
              AllOf(StartsWith(place + ":1: unknown key"), HasSubstr("'seed'")));
  EXPECT_EQ(ErrorOf("{\"require\": [\"energy>=1\"]}"),
            place + ":1: a task has a target, such as {\"target\": {\"forward\": 1}}");
  EXPECT_THAT(ErrorOf("{\"target\": {\"forward\": 1}, \"maximise\": \"energy\"}"),
              StartsWith(place + ":1: a task is a target and requirements"));
  EXPECT_EQ(ErrorOf("\n \n").rfind(place + " has no task", 0), 0u);
}

TEST_F(TaskFileTest, StartsAndSeedsAreChecked) {
  const auto with = [](const std::string& words) {
    return "{\"target\": {\"forward\": 1}, " + words + "}";
  };
  const std::string codes = "it is one of the training codes, 0 to 11, or null";
  for (const char* init : {"12", "-1", "1.5", "\"3\"", "18446744073709551615", "true"}) {
    EXPECT_THAT(ErrorOf(with(std::string("\"init\": ") + init)),
                AllOf(HasSubstr("t.jsonl:1: 'init' is "), EndsWith(codes)))
        << init;
  }
  EXPECT_EQ(Read(with("\"init\": 11"))[0].init, 11);
  for (const char* seed : {"-1", "1.5", "null", "\"3\""}) {
    EXPECT_THAT(ErrorOf(with(std::string("\"seed\": ") + seed)),
                AllOf(HasSubstr("t.jsonl:1: 'seed' is "), EndsWith("from 0 on is wanted")))
        << seed;
  }
}

}  // namespace
}  // namespace rhumb::eval
