#include "rhumb/rollout/attribute_head.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/data/sample_dataset.h"
#include "tests/rollout/echo_folders.h"
#include "tests/support/error_expectation.h"

namespace rhumb::rollout {
namespace {

namespace fs = std::filesystem;
using test::ErrorOf;
using testing::HasSubstr;

AddAttributesRequest RequestFor(const EchoFolders& folders, const std::string& expression) {
  AddAttributesRequest request;
  request.model = folders.model();
  request.data = folders.data();
  request.out = folders.file("more");
  request.names = {"extra"};
  request.expressions = {expression};
  request.units = {"units"};
  return request;
}

// The energy computed as an attribute must give the same numbers as the objective.
TEST(AttributeHead, LabelsAreTheExpressions) {
  const EchoFolders folders;
  AddAttributes(RequestFor(folders, "sum(-sum_sq_action)"));
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

// A code is the mean of eight pushes with standard deviation 0.05, and policies differ by 0.144. An
// ideal line for an episode's mean push misses 1 - 1 / (1 + (0.05^2 / 8) / 0.144^2) = 1.5 % of the
// variance.
TEST(AttributeHead, FitsAMeanOfActions) {
  const EchoFolders folders;
  AddAttributes(RequestFor(folders, "mean(action_0)"));
  const net::Model model = net::ReadModel(folders.file("more"));
  const auto error = [&](const char* split) {
    return (*model.metrics)["head_mse"][split]["extra"].get<double>();
  };
  EXPECT_LT(error("train"), 0.03);
  EXPECT_GT(error("train"), 0.005);
  EXPECT_LT(error("held_out_checkpoint"), 0.1);
  EXPECT_LT(error("held_out_weight"), 0.1);
  // In raw units the head gives the push itself, within 0.01: a fifteenth of a standard deviation.
  const std::vector<float> code = {0.1f, 0.3f};
  std::vector<float> values(3);
  model.heads.Predict(code.data(), 1, values.data());
  const net::ModelObjective& extra = model.description.objectives[2];
  EXPECT_NEAR(values[2] * extra.std + extra.mean, 0.1, 0.01);
}

// Adding the mean and the largest push together gives the same heads as adding them in turn.
TEST(AttributeHead, SeveralAtOnceAreTheSameAsOneAfterTheOther) {
  const EchoFolders folders;
  AddAttributesRequest request = RequestFor(folders, "mean(action_0)");
  request.out = folders.file("one");
  AddAttributes(request);
  request.model = folders.file("one");
  request.out = folders.file("two");
  request.names = {"push"};
  request.expressions = {"max(action_1)"};
  request.units = {};
  AddAttributes(request);

  request = RequestFor(folders, "mean(action_0)");
  request.names.push_back("push");
  request.expressions.push_back("max(action_1)");
  request.units.push_back("");
  AddAttributes(request);
  const net::Model apart = net::ReadModel(folders.file("two"));
  const net::Model together = net::ReadModel(folders.file("more"));
  ASSERT_EQ(together.description.objectives.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const net::ModelObjective& one = apart.description.objectives[k];
    const net::ModelObjective& other = together.description.objectives[k];
    EXPECT_EQ(other.name, one.name);
    EXPECT_EQ(other.expression, one.expression);
    EXPECT_EQ(other.mean, one.mean) << one.name;
    EXPECT_EQ(other.std, one.std) << one.name;
  }
  EXPECT_EQ(together.heads.weights, apart.heads.weights);
  EXPECT_EQ(together.heads.bias, apart.heads.bias);
  EXPECT_EQ(together.training.values, apart.training.values);
  EXPECT_EQ((*together.metrics)["head_mse"], (*apart.metrics)["head_mse"]);
  EXPECT_EQ(*together.provenance, *apart.provenance);
}

TEST(AttributeHead, BadInputIsAnErrorAndLeavesNothing) {
  const EchoFolders folders;
  const auto complaint = [&](const std::string& expression, auto change) {
    AddAttributesRequest request = RequestFor(folders, expression);
    change(request);
    return ErrorOf([&] { AddAttributes(request); });
  };
  const auto as_it_is = [](AddAttributesRequest&) {};
  const auto named = [](const char* name) {
    return [name](AddAttributesRequest& request) { request.names = {name}; };
  };
  EXPECT_THAT(complaint("mean(x)", named("energy")),
              HasSubstr("already has an objective 'energy'"));
  for (const char* name : {"", "Speed", "2x", "a-b", "a b"}) {
    EXPECT_THAT(complaint("mean(x)", named(name)), HasSubstr("is not a valid name")) << name;
  }
  EXPECT_THAT(complaint("mean(x)", [](auto& r) { r.names.push_back("extra"); }),
              HasSubstr("2 names, 1 expressions and 1 units"));
  const auto twice = [](AddAttributesRequest& request) {
    request.names.push_back("extra");
    request.expressions.push_back("mean(x)");
    request.units = {};
  };
  EXPECT_THAT(complaint("mean(x)", twice), HasSubstr("already has an objective 'extra'"));
  EXPECT_THAT(complaint("mean(x)", [](auto& r) { r.names = r.expressions = r.units = {}; }),
              HasSubstr("no attribute is given"));
  EXPECT_THAT(complaint("mean(x_velocty)", as_it_is), HasSubstr("x_velocity"));
  EXPECT_THAT(complaint("median(x)", as_it_is), HasSubstr("did you mean 'mean'"));
  EXPECT_THAT(complaint("x", as_it_is), HasSubstr("not an attribute"));
  EXPECT_THAT(complaint("mean(ln(x_velocity - 9))", as_it_is), HasSubstr("finite"));
  EXPECT_THAT(complaint("mean(3 + 0 * x)", as_it_is), HasSubstr("is 3 in all 20"));
  EXPECT_THAT(complaint("mean(x)", [&](auto& r) { r.out = folders.data(); }),
              HasSubstr("already exists"));
  data::WriteSampleDataset(folders.file("other"));
  EXPECT_THAT(complaint("mean(x)", [&](auto& r) { r.data = folders.file("other"); }),
              HasSubstr("sample-v0"));
  EXPECT_FALSE(fs::exists(folders.file("more")));
  EXPECT_FALSE(fs::exists(folders.file("more.work")));
}

// The same pushes, recorded again: the episodes differ from those of the model's codes.
TEST(AttributeHead, AnotherDatasetOfTheSameEnvironment) {
  const EchoFolders folders;
  net::Model model = net::ReadModel(folders.model());
  model.training.values[6] += 1;
  net::WriteModel(model, folders.file("other"), core::Existing::kRefuse, {{"seed", 3}});
  AddAttributesRequest request = RequestFor(folders, "mean(x)");
  request.model = folders.file("other");
  EXPECT_THAT(ErrorOf([&] { AddAttributes(request); }), HasSubstr("not the dataset"));
}

}  // namespace
}  // namespace rhumb::rollout
