#include "rhumb/eval/steering/task.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
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

std::vector<std::vector<double>> ValuesOf(const Anchors& anchors) {
  std::vector<std::vector<double>> values;
  for (const Anchor& anchor : anchors) values.push_back(anchor.values);
  return values;
}

// The only episode of policy i returned (i, -i); policy 0 is for training.
TEST(Anchors, OfADatasetByHand) {
  const test::ScratchFolder scratch;
  data::WriteSampleDataset(scratch.path() / "d");
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  const net::ModelDescription model = net::ModelOfSamples().description;
  EXPECT_THAT(ValuesOf(AnchorsOf(dataset, "held_out", model)),
              ElementsAre(ElementsAre(1, -1), ElementsAre(2, -2)));
  EXPECT_THAT(ValuesOf(AnchorsOf(dataset, "held_out_weight", model)),
              ElementsAre(ElementsAre(2, -2)));
  const Anchors both = AnchorsOf(dataset, "held_out", model);
  EXPECT_EQ(both[0].policy, 1);
  EXPECT_EQ(both[0].split, "held_out_checkpoint");
  EXPECT_EQ(both[1].policy, 2);
  EXPECT_EQ(both[1].split, "held_out_weight");
  EXPECT_THAT(ValuesOf(AnchorsOf(dataset, "train", model)), ElementsAre(ElementsAre(0, 0)));
}

// In an episode of T steps that begins at f, the quantities (height, speed) count up from f + 9000,
// step by step. Heights are 2 apart, so the last one is f + 9000 + 2 (T - 1).
TEST(Anchors, AttributesAreComputedFromTheSteps) {
  const test::ScratchFolder scratch;
  data::WriteSampleDataset(scratch.path() / "d");
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  net::ModelDescription model = net::ModelOfSamples().description;
  model.objectives.push_back({.name = "top", .unit = "m", .expression = "max(height)"});
  model.objectives.push_back({.name = "mean_step", .unit = "", .expression = "mean(speed-height)"});
  EXPECT_THAT(ValuesOf(AnchorsOf(dataset, "held_out", model)),
              ElementsAre(ElementsAre(1, -1, 9065, 1), ElementsAre(2, -2, 9100, 1)));
}

// Neither "held_out" nor "train" includes the policies in the hole.
TEST(Anchors, OfTheHole) {
  const test::ScratchFolder scratch;
  data::DatasetWriter writer(scratch.path() / "d", data::SampleDescription());
  for (int i = 0; i < 3; ++i) {
    writer.AddPolicy(data::SamplePolicy(i, 5));
    writer.Append(data::SampleEpisode(i, 40, static_cast<float>(i)));
  }
  writer.policies()[1].split = data::Split::kHole;
  writer.policies()[2].split = data::Split::kHeldOutWeight;
  writer.Commit({{"seed", 11}});
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  const net::ModelDescription model = net::ModelOfSamples().description;
  EXPECT_THAT(ValuesOf(AnchorsOf(dataset, "hole", model)), ElementsAre(ElementsAre(1, -1)));
  EXPECT_THAT(ValuesOf(AnchorsOf(dataset, "held_out", model)), ElementsAre(ElementsAre(2, -2)));
  EXPECT_THAT(ValuesOf(AnchorsOf(dataset, "train", model)), ElementsAre(ElementsAre(0, 0)));
}

TEST(Anchors, ADatasetWithoutAHeldOutPolicyIsSaid) {
  const test::ScratchFolder scratch;
  data::DatasetWriter writer(scratch.path() / "d", data::SampleDescription());
  writer.AddPolicy(data::SamplePolicy(0, 5));
  writer.Append(data::SampleEpisode(0, 40, 0));
  writer.Commit({{"seed", 11}});
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  EXPECT_THAT(
      test::ErrorOf([&] { AnchorsOf(dataset, "held_out", net::ModelOfSamples().description); }),
      HasSubstr("no episode in the split 'held_out'"));
}

TEST(Anchors, OfTheTrainingCodesByHand) {
  net::Model model;
  model.training.code_size = 1;
  model.training.objectives = 2;
  model.training.codes = {0, 0, 0};
  model.training.values = {1, 10, 5, 50, 3, 20};
  model.training.policies = {7, 4, 7};
  EXPECT_THAT(ValuesOf(TrainingAnchors(model)),
              ElementsAre(ElementsAre(5, 50), ElementsAre(2, 15)));
  EXPECT_EQ(TrainingAnchors(model)[1].policy, 7);
  EXPECT_EQ(TrainingAnchors(model)[1].split, "train");
  model.training.policies.clear();
  EXPECT_EQ(TrainingAnchors(model)[1].policy, std::nullopt);
  EXPECT_THAT(ValuesOf(TrainingAnchors(model)),
              ElementsAre(ElementsAre(1, 10), ElementsAre(5, 50), ElementsAre(3, 20)));
}

// Deviations of 2 and 4. The training policy (10, 0) is better than (6, -12) by 2 and 3 deviations,
// than (9, -2) by 0.5 and 0.5. Nothing is better than (0, 20) and (12, -40) in both. (0, 18) is
// behind (0, 20) in the second objective alone, which is no distance.
TEST(Anchors, NearTheFrontByHand) {
  net::Model model;
  model.description.shaping_labels = 2;
  model.description.objectives.resize(3);
  model.description.objectives[0].std = 2;
  model.description.objectives[1].std = 4;
  model.training.code_size = 1;
  model.training.objectives = 3;
  model.training.codes = {0};
  model.training.values = {10, 0, 100};
  const Anchors anchors = {{{6, -12, 0}}, {{0, 20, 0}}, {{9, -2, 0}}, {{12, -40, 0}}, {{0, 18, 0}}};
  const auto near = [&](double share) {
    std::vector<double> first;
    for (const Anchor& anchor : NearFront(model, anchors, share)) first.push_back(anchor.values[0]);
    return first;
  };
  EXPECT_THAT(near(0.4), ElementsAre(0, 12));
  EXPECT_THAT(near(0.41), ElementsAre(0, 12, 0));
  EXPECT_THAT(near(0.8), ElementsAre(0, 9, 12, 0)) << "(6, -12) is the farthest";
  EXPECT_THAT(near(1), ElementsAre(6, 0, 9, 12, 0));
  EXPECT_THAT(near(0.01), ElementsAre(0)) << "at least one";
  model.description.objectives[0].expression = "mean(x)";
  EXPECT_THAT(near(0.2), ElementsAre(0)) << "(0, 20) has the most energy";
  model.description.objectives[1].expression = "mean(y)";
  EXPECT_THAT(test::ErrorOf([&] { near(0.2); }), HasSubstr("no objective of the environment"));
}

// The least target leaves (-3, 5) and (1.9, 7), and (1.9, 7) is better in both.
TEST(MakeTasks, NearTheFront) {
  const net::Model model = net::ModelOfSamples();
  const Anchors anchors = {{{1.7, 9}}, {{-3, 5}}, {{1.9, 7}}};
  std::set<double> targets;
  for (const Task& task : MakeTasks(model, anchors, {.count = 50, .front = 0.5}, 1)) {
    targets.insert(task.query.targets[0].value);
  }
  EXPECT_THAT(targets, ElementsAre(1.9));
}

// 0.15 of a range of 12 is 1.8.
TEST(MakeTasks, ByHand) {
  const net::Model model = net::ModelOfSamples();
  const Anchors anchors = {{{1.7, 1}}, {{-3, 5}}, {{1.9, 7}}};
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
    // Target and bound come from the same policy; the bound is loosened by up to a tenth of 3.
    const double reached = task.query.targets[0].value == -3 ? 5 : 7;
    const double share = (reached - task.query.requirements[0].low) / 0.3;
    least = std::min(least, share);
    most = std::max(most, share);
  }
  EXPECT_THAT(targets, ElementsAre(-3, 1.9)) << "1.7 is too near to 0";
  EXPECT_EQ(starts.size(), 12u) << "every training code is drawn, in 300 draws";
  EXPECT_EQ(*starts.begin(), 0);
  EXPECT_EQ(*starts.rbegin(), 11);
  // 300 uniform numbers all lie above 0.05, or all below 0.95, with probability 2e-7.
  EXPECT_GE(least, -1e-12);
  EXPECT_LT(least, 0.05);
  EXPECT_LE(most, 1 + 1e-12);
  EXPECT_GT(most, 0.95);
}

TEST(MakeTasks, FewerTasksAndFewerRequirementsAreTheSameOnes) {
  const net::Model model = net::SampleModel({.labels = 3});
  const Anchors anchors = {{{10, 1, 2}}, {{20, 3, 4}}};
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
              HasSubstr("a task cannot have 3 requirements; 2 objectives can have one"));
}

// The same model with attributes: height (std 0.5) and rate (std 8).
net::Model ModelWithAttributes() {
  net::Model model = net::ModelOfSamples();
  std::vector<net::ModelObjective>& objectives = model.description.objectives;
  objectives.push_back({.name = "height", .unit = "m", .expression = "mean(height)", .std = 0.5});
  objectives.push_back({.name = "rate", .unit = "", .expression = "max(speed)", .std = 8});
  return model;
}

TEST(MakeTasks, AttributesThatNoRequirementIsOnChangeNothing) {
  const Anchors plain = {{{-3, 5}}, {{1.9, 7}}};
  const Anchors more = {{{-3, 5, 0.25, 40}}, {{1.9, 7, 0.75, 20}}};
  const std::vector<Task> tasks = MakeTasks(net::ModelOfSamples(), plain, {.count = 30}, 1);
  const net::Model model = ModelWithAttributes();
  EXPECT_EQ(MakeTasks(model, more, {.count = 30, .requirements = 1}, 1), tasks);
  EXPECT_EQ(MakeTasks(model, more, {.count = 30, .over = {"energy"}}, 1), tasks);
  EXPECT_EQ(MakeTasks(model, more, {.count = 30, .requirements = 1, .over = {"energy"}}, 1), tasks);
}

// An attribute gets a lower or an upper bound, on the side that admits the anchor; an objective
// gets a lower bound.
TEST(MakeTasks, RequirementsOverAttributesByHand) {
  const net::Model model = ModelWithAttributes();
  const Anchor anchor = {{-3, 5, 0.25, 40}};
  const TaskConfig config = {.count = 400, .requirements = 2, .over = {"rate", "height", "energy"}};
  std::map<std::string, int> at_least, at_most;
  for (const Task& task : MakeTasks(model, {anchor}, config, 1)) {
    ASSERT_EQ(task.query.requirements.size(), 2u);
    EXPECT_NE(task.query.requirements[0].quantity, task.query.requirements[1].quantity);
    EXPECT_EQ(task.query.targets[0].quantity, "forward");
    for (const steer::Requirement& requirement : task.query.requirements) {
      const std::string& name = requirement.quantity;
      const std::size_t k = name == "energy" ? 1 : name == "height" ? 2 : 3;
      const double most = 0.1 * model.description.objectives[k].std;
      const bool is_low = requirement.high == steer::kUnbounded;
      const double slack =
          is_low ? anchor.values[k] - requirement.low : requirement.high - anchor.values[k];
      EXPECT_GE(slack, 0) << name;
      EXPECT_LE(slack, most * (1 + 1e-12)) << name;
      ++(is_low ? at_least : at_most)[name];
    }
  }
  // 800 requirements of three kinds: 267 each, half in each direction; 5 standard deviations.
  EXPECT_NEAR(at_least["energy"], 267, 48);
  EXPECT_EQ(at_most["energy"], 0);
  for (const char* name : {"height", "rate"}) {
    EXPECT_NEAR(at_least[name], 133, 53) << name;
    EXPECT_NEAR(at_most[name], 133, 53) << name;
  }
}

TEST(MakeTasks, MoreRequirementsOverAListContainTheFewer) {
  const net::Model model = ModelWithAttributes();
  const Anchors anchors = {{{-3, 5, 0.25, 40}}, {{1.9, 7, 0.75, 20}}};
  TaskConfig config = {.count = 20, .over = {"rate", "height", "energy"}};
  const std::vector<Task> all = MakeTasks(model, anchors, config, 1);
  for (int n = 1; n <= 3; ++n) {
    config.requirements = n;
    const std::vector<Task> some = MakeTasks(model, anchors, config, 1);
    for (std::size_t i = 0; i < some.size(); ++i) {
      Task shorter = all[i];
      shorter.query.requirements.resize(static_cast<std::size_t>(n));
      EXPECT_EQ(some[i], shorter);
    }
  }
}

TEST(MakeTasks, WhatIsNoneOfTheOthersIsSaid) {
  const net::Model model = ModelWithAttributes();
  const auto error = [&](const TaskConfig& config) {
    return test::ErrorOf([&] { MakeTasks(model, {{{-3, 5, 0.25, 40}}}, config, 1); });
  };
  EXPECT_THAT(error({.over = {"hieght"}}), AllOf(HasSubstr("over 'hieght'"), HasSubstr("'height'"),
                                                 HasSubstr("energy, height, rate")));
  EXPECT_THAT(error({.over = {"forward"}}), HasSubstr("besides the target forward"));
  EXPECT_THAT(error({.over = {"rate", "rate"}}), HasSubstr("'over' names 'rate' twice"));
  EXPECT_THAT(error({.requirements = 3, .over = {"rate", "height"}}),
              HasSubstr("a task cannot have 3 requirements; 2 objectives can have one"));
}

TEST(MakeTasks, TargetsNearZeroAloneAreSaid) {
  EXPECT_THAT(test::ErrorOf([] {
                MakeTasks(net::ModelOfSamples(), {{{1.7, 1}}, {{-1, 5}}}, {}, 1);
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
  const net::Model model_ = net::ModelOfSamples();
};

TEST_F(TaskFileTest, ByHand) {
  const std::vector<Task> tasks = Read(
      "{\"init\": 3, \"target\": {\"forward\": 4.5}, \"require\": [\"energy>=-5\"], \"seed\": 9}\n"
      "\r\n"
      "{\"target\": [\"forward=1 +- 0.5\"], \"init\": null, \"anchor\": 7, \"split\": \"hole\"}");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0], (Task{3, steer::Query().AddTarget("forward", 4.5).AtLeast("energy", -5), 9}));
  EXPECT_EQ(tasks[1],
            (Task{std::nullopt, steer::Query().AddTarget("forward", 1, 0.5), 0, 7, "hole"}));
}

TEST_F(TaskFileTest, WhatIsWrittenIsReadBack) {
  std::vector<Task> tasks =
      MakeTasks(model_, {{{-3.1, 5}, 4, "held_out_weight"}, {{1.9, 7}}}, {.count = 10}, 1);
  tasks.push_back({std::nullopt, steer::Query().AddTarget("forward", 1, 0.5), 3});
  tasks.push_back(
      {0, steer::Query().AddTarget("forward", 0.1).AddTarget("energy", -0.3), 1ULL << 40});
  WriteTasks(scratch_.path() / "w.jsonl", tasks);
  EXPECT_EQ(ReadTasks(scratch_.path() / "w.jsonl", model_), tasks);
  const std::string lines = test::Contents(scratch_.path() / "w.jsonl");
  const json first = json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_TRUE(first.at("target").at("forward").is_number());
  EXPECT_TRUE(first.at("require").at(0).is_string());
  for (const Task& task : tasks) {
    EXPECT_EQ(task.anchor.has_value(), task.query.targets[0].value == -3.1);
    EXPECT_EQ(task.split, task.anchor ? "held_out_weight" : "");
  }
}

TEST_F(TaskFileTest, ErrorsNameTheLine) {
  const std::string good = "{\"target\": {\"forward\": 1}}\n";
  const std::string place = (scratch_.path() / "t.jsonl").string();
  EXPECT_THAT(ErrorOf(good + "\n{\"target\""), StartsWith(place + ":3: not valid JSON at byte "));
  EXPECT_THAT(ErrorOf(good + "7"), StartsWith(place + ":2: a query must be an object"));
  EXPECT_THAT(ErrorOf("{\"target\": {\"forwrad\": 1}}"),
              AllOf(StartsWith(place + ":1: "), HasSubstr("'forwrad'"), HasSubstr("'forward'")));
  EXPECT_THAT(ErrorOf("{\"target\": {\"forward\": 1}, \"sede\": 1}"),
              AllOf(StartsWith(place + ":1: unknown key"), HasSubstr("'seed'")));
  EXPECT_EQ(ErrorOf("{\"require\": [\"energy>=1\"]}"),
            place + ":1: a task needs a target, such as {\"target\": {\"forward\": 1}}");
  EXPECT_THAT(ErrorOf("{\"target\": {\"forward\": 1}, \"maximise\": \"energy\"}"),
              StartsWith(place + ":1: a task has targets and requirements only"));
  EXPECT_EQ(ErrorOf("\n \n").rfind(place + " has no task", 0), 0u);
}

TEST_F(TaskFileTest, StartsAndSeedsAreChecked) {
  const auto with = [](const std::string& words) {
    return "{\"target\": {\"forward\": 1}, " + words + "}";
  };
  const std::string codes = "it must be a training code, 0 to 11, or null";
  EXPECT_THAT(ErrorOf(with("\"anchor\": -1")), HasSubstr("'anchor' is "));
  EXPECT_THAT(ErrorOf(with("\"split\": \"whole\"")),
              AllOf(HasSubstr("'split' is "), HasSubstr("hole")));
  for (const char* init : {"12", "-1", "1.5", "\"3\"", "18446744073709551615", "true"}) {
    EXPECT_THAT(ErrorOf(with(std::string("\"init\": ") + init)),
                AllOf(HasSubstr("t.jsonl:1: 'init' is "), EndsWith(codes)))
        << init;
  }
  EXPECT_EQ(Read(with("\"init\": 11"))[0].init, 11);
  for (const char* seed : {"-1", "1.5", "null", "\"3\""}) {
    EXPECT_THAT(ErrorOf(with(std::string("\"seed\": ") + seed)),
                AllOf(HasSubstr("t.jsonl:1: 'seed' is "),
                      EndsWith("it must be a whole number, at least 0")))
        << seed;
  }
}

}  // namespace
}  // namespace rhumb::eval
