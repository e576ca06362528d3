#include "rhumb/learn/ground/attribute_head.h"

#include <gmock/gmock.h>

#include <cmath>

#include "rhumb/learn/ground/grounding.h"
#include "tests/data/sample_dataset.h"
#include "tests/learn/echo_folders.h"
#include "tests/support/error_expectation.h"

namespace rhumb::learn::ground {
namespace {

namespace fs = std::filesystem;
using test::ErrorOf;
using testing::AllOf;
using testing::HasSubstr;

AddAttributeRequest RequestFor(const EchoFolders& folders, const std::string& expression) {
  AddAttributeRequest request;
  request.model = folders.model();
  request.data = folders.data();
  request.out = folders.file("more");
  request.name = "extra";
  request.expression = expression;
  request.unit = "units";
  request.job.quiet = true;
  return request;
}

// The energy again, by another way: the same numbers beside it.
TEST(AttributeHead, LabelsAreTheExpressions) {
  const EchoFolders folders;
  ASSERT_EQ(AddAttribute(RequestFor(folders, "sum(-sum_sq_action)")), core::Outcome::kDone);
  const net::Model model = net::ReadModel(folders.file("more"));
  ASSERT_EQ(model.description.objectives.size(), 3u);
  const net::ModelObjective& energy = model.description.objectives[1];
  const net::ModelObjective& extra = model.description.objectives[2];
  EXPECT_EQ(extra.name, "extra");
  EXPECT_EQ(extra.unit, "units");
  EXPECT_EQ(extra.expression, "sum(-sum_sq_action)");
  // Rewards and quantities are rounded to float32 in the dataset, and 100 of them are added.
  EXPECT_NEAR(extra.mean, energy.mean, 1e-5);
  EXPECT_NEAR(extra.std, energy.std, 1e-5);
  EXPECT_NEAR(extra.min, energy.min, 1e-5);
  EXPECT_NEAR(extra.max, energy.max, 1e-5);
  ASSERT_EQ(model.training.values.size(), 3u * 20);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(model.training.values[3 * i + 2], model.training.values[3 * i + 1], 1e-5);
  }
  EXPECT_EQ(model.description.shaping_labels, 2);
  EXPECT_EQ(net::ReadModel(folders.model()).description.objectives.size(), 2u);
}

// A code is the mean of eight pushes of deviation 0.05, and policies differ by 0.144: of the mean
// push of an episode an ideal line misses 1 - 1 / (1 + (0.05^2 / 8) / 0.144^2) = 1.5 %.
TEST(AttributeHead, FitsAMeanOfActions) {
  const EchoFolders folders;
  ASSERT_EQ(AddAttribute(RequestFor(folders, "mean(action_0)")), core::Outcome::kDone);
  const net::Model model = net::ReadModel(folders.file("more"));
  const auto error = [&](const char* split) {
    return (*model.metrics)["head_mse"][split]["extra"].get<double>();
  };
  EXPECT_LT(error("train"), 0.03);
  EXPECT_GT(error("train"), 0.005);
  EXPECT_LT(error("held_out_checkpoint"), 0.1);
  EXPECT_LT(error("held_out_weight"), 0.1);
  // In raw units the head gives the push itself: within 0.01, a fifteenth of a deviation.
  const std::vector<float> code = {0.1f, 0.3f};
  std::vector<float> values(3);
  model.heads.Predict(code.data(), 1, values.data());
  const net::ModelObjective& extra = model.description.objectives[2];
  EXPECT_NEAR(values[2] * extra.std + extra.mean, 0.1, 0.01);
}

// A grounded model wants its roll-outs again; the old objectives come out as before.
TEST(AttributeHead, GroundedModels) {
  const EchoFolders folders;
  GroundRequest ground;
  ground.model = folders.model();
  ground.data = folders.data();
  ground.job.quiet = true;
  ground.config.codes = 100;
  ground.config.episodes = 2;
  ground.config.heads.members = 3;
  ground.config.heads.steps = 100;
  ASSERT_EQ(GroundModel(ground), core::Outcome::kDone);
  AddAttributeRequest request = RequestFor(folders, "mean(action_0)");
  request.job.threads = 2;
  EXPECT_THAT(ErrorOf([&] { AddAttribute(request); }),
              AllOf(HasSubstr("400 roll-outs"), HasSubstr("--roll-out"), HasSubstr("2 threads")));

  request.roll_out = true;
  request.job.should_stop = [] { return true; };
  EXPECT_EQ(AddAttribute(request), core::Outcome::kStopped);
  EXPECT_FALSE(fs::exists(folders.file("more")));
  request.job.should_stop = [] { return false; };
  ASSERT_EQ(AddAttribute(request), core::Outcome::kDone);
  EXPECT_FALSE(fs::exists(folders.file("more.work")));
  const net::Model before = net::ReadModel(folders.model());
  const net::Model after = net::ReadModel(folders.file("more"));
  for (std::size_t mode = 0; mode < 2; ++mode) {
    const net::Grounding& old = before.grounded[mode].value();
    const net::Grounding& now = after.grounded[mode].value();
    EXPECT_EQ(now.rolled_out.codes, old.rolled_out.codes);
    EXPECT_EQ(now.heads.members.size(), 3u) << "settings are kept";
    EXPECT_EQ(now.heads.objectives(), 3);
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(now.rolled_out.values[3 * i], old.rolled_out.values[2 * i]);
      EXPECT_EQ(now.rolled_out.values[3 * i + 1], old.rolled_out.values[2 * i + 1]);
      // What a code's mean push is: exact with mean actions, else over 200 steps of e^-3.
      EXPECT_NEAR(now.rolled_out.values[3 * i + 2], now.rolled_out.codes[2 * i],
                  mode == static_cast<std::size_t>(net::RolloutMode::kMean) ? 1e-6 : 0.02);
    }
  }
}

TEST(AttributeHead, BadInputIsAnErrorAndLeavesNothing) {
  const EchoFolders folders;
  const auto complaint = [&](const std::string& expression, auto change) {
    AddAttributeRequest request = RequestFor(folders, expression);
    change(request);
    return ErrorOf([&] { AddAttribute(request); });
  };
  const auto as_it_is = [](AddAttributeRequest&) {};
  const auto named = [](const char* name) {
    return [name](AddAttributeRequest& request) { request.name = name; };
  };
  EXPECT_THAT(complaint("mean(x)", named("energy")), HasSubstr("'energy' already"));
  for (const char* name : {"", "Speed", "2x", "a-b", "a b"}) {
    EXPECT_THAT(complaint("mean(x)", named(name)), HasSubstr("is no name")) << name;
  }
  EXPECT_THAT(complaint("mean(x_velocty)", as_it_is), HasSubstr("x_velocity"));
  EXPECT_THAT(complaint("median(x)", as_it_is), HasSubstr("did you mean 'mean'"));
  EXPECT_THAT(complaint("x", as_it_is), HasSubstr("not an attribute"));
  EXPECT_THAT(complaint("mean(ln(x_velocity - 9))", as_it_is), HasSubstr("finite"));
  EXPECT_THAT(complaint("mean(3 + 0 * x)", as_it_is), HasSubstr("is 3 in all 20"));
  EXPECT_THAT(complaint("mean(x)", [&](auto& r) { r.out = folders.data(); }),
              HasSubstr("there already"));
  data::WriteSampleDataset(folders.file("other"));
  EXPECT_THAT(complaint("mean(x)", [&](auto& r) { r.data = folders.file("other"); }),
              HasSubstr("sample-v0"));
  EXPECT_FALSE(fs::exists(folders.file("more")));
  EXPECT_FALSE(fs::exists(folders.file("more.work")));
}

// The same pushes, recorded anew: other episodes than the model's codes.
TEST(AttributeHead, AnotherDatasetOfTheSameEnvironment) {
  const EchoFolders folders;
  net::Model model = net::ReadModel(folders.model());
  model.training.values[6] += 1;
  net::WriteModel(model, folders.file("other"), core::Existing::kRefuse, {{"seed", 3}});
  AddAttributeRequest request = RequestFor(folders, "mean(x)");
  request.model = folders.file("other");
  EXPECT_THAT(ErrorOf([&] { AddAttribute(request); }), HasSubstr("not the dataset"));
}

}  // namespace
}  // namespace rhumb::learn::ground
