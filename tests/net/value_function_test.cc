#include "rhumb/net/value_function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/net/sample_model.h"
#include "tests/support/allocation_count.h"

namespace rhumb::net {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

struct Evaluation {
  std::vector<float> values, spread, gradients;
};

// The workspace starts as NaN, so reading an unwritten value shows.
Evaluation Evaluate(const ValueFunction& function, const std::vector<float>& codes,
                    const std::vector<float>& cotangents) {
  const int rows = static_cast<int>(codes.size()) / function.code_size();
  Evaluation result{std::vector<float>(cotangents.size()), std::vector<float>(cotangents.size()),
                    std::vector<float>(codes.size())};
  std::vector<float> workspace(function.workspace_size(rows),
                               std::numeric_limits<float>::quiet_NaN());
  function.Evaluate(codes.data(), rows, result.values.data(), result.spread.data(), workspace);
  function.Pullback(cotangents.data(), rows, result.gradients.data(), workspace);
  return result;
}

// v = (h_0 + 2 h_2 + 0.5, -h_1 + 3); the gradient of 2 v_0 + 3 v_1 is (2, -3, 4) everywhere.
TEST(ValueFunction, LinearHeadsByHand) {
  const ValueFunction function(LinearHeads{2, 3, {1, 0, 2, 0, -1, 0}, {0.5f, 3}});
  EXPECT_EQ(function.code_size(), 3);
  EXPECT_EQ(function.objectives(), 2);
  const Evaluation at = Evaluate(function, {1, 2, 3, 0, 0, 0}, {2, 3, 0, 1});
  EXPECT_THAT(at.values, ElementsAre(7.5f, 1, 0.5f, 3));
  EXPECT_THAT(at.spread, Each(0.0f));
  EXPECT_THAT(at.gradients, ElementsAre(2, -3, 4, 0, -1, 0));
}

// z = (h - 1) / 2; the members are 3 f(2 z) and 3 f(4 z).
HeadEnsemble HandEnsemble(Activation activation) {
  HeadEnsemble heads;
  heads.code_mean = {1};
  heads.code_inverse_scale = {0.5f};
  for (const float slope : {2.0f, 4.0f}) {
    heads.members.emplace_back(std::vector<int>{1, 1, 1}, activation);
    heads.members.back().SetLayer(0, std::span(&slope, 1), std::vector<float>{0});
    heads.members.back().SetLayer(1, std::vector<float>{3}, std::vector<float>{0});
  }
  return heads;
}

// h = 3: z = 1, the members predict 6 and 12, dv/dh = (3 * 2 + 3 * 4) / 2 * 0.5 = 4.5.
// h = -1: z = -1; ReLU gives 0, ELU gives 3 (e^-2 - 1) and 3 (e^-4 - 1).
TEST(ValueFunction, EnsembleByHand) {
  const Evaluation relu =
      Evaluate(ValueFunction(HandEnsemble(Activation::kRelu)), {3, -1}, {10, 10});
  EXPECT_THAT(relu.values, ElementsAre(9, 0));
  EXPECT_THAT(relu.spread, ElementsAre(3, 0));
  EXPECT_THAT(relu.gradients, ElementsAre(45, 0));

  const Evaluation elu = Evaluate(ValueFunction(HandEnsemble(Activation::kElu)), {3, -1}, {10, 10});
  const double e2 = std::exp(-2.0), e4 = std::exp(-4.0);
  EXPECT_EQ(elu.values[0], 9);
  EXPECT_EQ(elu.gradients[0], 45);
  // Tolerances: float rounding of numbers up to 3 and up to 10.
  EXPECT_NEAR(elu.values[1], 1.5 * (e2 - 1) + 1.5 * (e4 - 1), 5e-7);
  EXPECT_NEAR(elu.spread[1], 1.5 * (e2 - e4), 5e-7);
  EXPECT_NEAR(elu.gradients[1], 10 * (1.5 * 2 * e2 + 1.5 * 4 * e4) * 0.5, 2e-6);
}

double Activated(Activation activation, double x) {
  switch (activation) {
    case Activation::kRelu:
      return std::max(x, 0.0);
    case Activation::kElu:
      return x < 0 ? std::expm1(x) : x;
    case Activation::kTanh:
      return std::tanh(x);
  }
  return x;
}

// sum_k cotangents[k] v_k(code), in double, with plain loops.
double WeightedValue(const HeadEnsemble& heads, const std::vector<double>& code,
                     const float* cotangents) {
  double sum = 0;
  for (const Mlp& member : heads.members) {
    std::vector<double> x(code);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = (x[i] - heads.code_mean[i]) * heads.code_inverse_scale[i];
    }
    for (std::size_t l = 0; l < member.layer_count(); ++l) {
      const Layer& layer = member.layer(l);
      std::vector<double> y(layer.bias.begin(), layer.bias.begin() + layer.outputs);
      for (std::size_t o = 0; o < y.size(); ++o) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          y[o] += x[i] * layer.weights[i * static_cast<std::size_t>(layer.padded_outputs()) + o];
        }
        if (l + 1 < member.layer_count()) y[o] = Activated(member.activation(), y[o]);
      }
      x = y;
    }
    for (std::size_t k = 0; k < x.size(); ++k) sum += cotangents[k] * x[k];
  }
  return sum / static_cast<double>(heads.members.size());
}

struct Shape {
  std::vector<int> sizes;
  int members;
  Activation activation;
};

class RandomEnsemble : public ::testing::TestWithParam<Shape> {
 protected:
  static constexpr int kRows = 13;
  RandomEnsemble() {
    const Shape& shape = GetParam();
    heads_.code_mean = weights_.Draw(inputs_);
    for (const float scale : weights_.Draw(inputs_)) {
      heads_.code_inverse_scale.push_back(0.5f + std::abs(scale));
    }
    for (int m = 0; m < shape.members; ++m) {
      // Weights of order 1 / sqrt(inputs), as in trained networks.
      heads_.members.emplace_back(shape.sizes, shape.activation);
      for (std::size_t l = 0; l + 1 < shape.sizes.size(); ++l) {
        const int in = shape.sizes[l], out = shape.sizes[l + 1];
        heads_.members.back().SetLayer(l, weights_.Draw(in * out, 1 / std::sqrt(in)),
                                       weights_.Draw(out, 0.2));
      }
    }
    codes_ = weights_.Draw(kRows * inputs_);
    cotangents_ = weights_.Draw(kRows * outputs_);
  }

  static std::vector<float> Part(const std::vector<float>& values, int begin, int count) {
    return {values.begin() + begin, values.begin() + begin + count};
  }

  SampleWeights weights_{11};
  int inputs_ = GetParam().sizes.front(), outputs_ = GetParam().sizes.back();
  HeadEnsemble heads_;
  std::vector<float> codes_, cotangents_;
};

// The shape that grounding fits; sizes that the vector width does not divide; no hidden layer;
// several layers of all widths.
INSTANTIATE_TEST_SUITE_P(Shapes, RandomEnsemble,
                         ::testing::Values(Shape{{32, 64, 64, 2}, 5, Activation::kElu},
                                           Shape{{6, 9, 3}, 3, Activation::kElu},
                                           Shape{{6, 9, 21, 3}, 2, Activation::kRelu},
                                           Shape{{33, 17, 40, 5, 20}, 1, Activation::kTanh},
                                           Shape{{20, 3}, 4, Activation::kElu},
                                           Shape{{1, 1, 1}, 2, Activation::kTanh}));

// The members' own networks run the same operations in the same order.
TEST_P(RandomEnsemble, IsTheMeanAndTheSpreadOfTheMembersBitForBit) {
  const std::size_t members = heads_.members.size(), width = heads_.code_mean.size();
  std::vector<float> standardised = codes_;
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    standardised[i] =
        (codes_[i] - heads_.code_mean[i % width]) * heads_.code_inverse_scale[i % width];
  }
  std::vector<std::vector<float>> outputs(members);
  for (std::size_t m = 0; m < members; ++m) {
    outputs[m].resize(static_cast<std::size_t>(kRows * outputs_));
    std::vector<float> workspace(heads_.members[m].workspace_size(kRows));
    heads_.members[m].Forward(standardised.data(), kRows, outputs[m].data(), workspace);
  }
  const Evaluation at = Evaluate(ValueFunction(heads_), codes_, cotangents_);
  const auto count = static_cast<float>(members);
  for (std::size_t i = 0; i < at.values.size(); ++i) {
    float sum = 0, squares = 0;
    for (const std::vector<float>& output : outputs) sum += output[i];
    for (const std::vector<float>& output : outputs) {
      squares += (output[i] - sum / count) * (output[i] - sum / count);
    }
    EXPECT_EQ(at.values[i], sum / count);
    EXPECT_EQ(at.spread[i], std::sqrt(squares / count));
  }
}

// Central differences are accurate to 1e-9 here; the gradients are float sums of terms of order 1.
TEST_P(RandomEnsemble, GradientsAreThoseOfCentralDifferences) {
  constexpr double kStep = 1e-5;
  const Evaluation at = Evaluate(ValueFunction(heads_), codes_, cotangents_);
  for (int row = 0; row < kRows; ++row) {
    const float* cotangents = cotangents_.data() + row * outputs_;
    const std::vector<float> gradient = Part(at.gradients, row * inputs_, inputs_);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const std::vector<float> code = Part(codes_, row * inputs_, inputs_);
      std::vector<double> above(code.begin(), code.end()), below = above;
      above[i] += kStep;
      below[i] -= kStep;
      const double expected =
          (WeightedValue(heads_, above, cotangents) - WeightedValue(heads_, below, cotangents)) /
          (2 * kStep);
      EXPECT_NEAR(gradient[i], expected, 1e-6) << "row " << row << ", " << i;
    }
  }
}

// A start's path must not depend on which others still run: any grouping gives the same bits.
TEST_P(RandomEnsemble, RowsDoNotDependOnTheirGrouping) {
  const ValueFunction function(heads_);
  const Evaluation together = Evaluate(function, codes_, cotangents_);
  for (const int group : {1, 2, 3, 5, 8}) {
    for (int row = 0; row < kRows; row += group) {
      const int rows = std::min(group, kRows - row);
      const Evaluation alone = Evaluate(function, Part(codes_, row * inputs_, rows * inputs_),
                                        Part(cotangents_, row * outputs_, rows * outputs_));
      EXPECT_EQ(alone.values, Part(together.values, row * outputs_, rows * outputs_));
      EXPECT_EQ(alone.spread, Part(together.spread, row * outputs_, rows * outputs_));
      EXPECT_EQ(alone.gradients, Part(together.gradients, row * inputs_, rows * inputs_));
    }
  }
}

// One evaluation serves several pullbacks. The workspace was used for other batches before.
TEST_P(RandomEnsemble, PullbackLeavesWhatItNeeds) {
  const ValueFunction function(heads_);
  const Evaluation expected = Evaluate(function, codes_, cotangents_);
  std::vector<float> workspace(function.workspace_size(kRows));
  std::vector<float> values(cotangents_.size()), spread(cotangents_.size());
  std::vector<float> gradients(codes_.size());
  function.Evaluate(codes_.data(), 2, values.data(), spread.data(), workspace);
  function.Evaluate(codes_.data(), kRows, values.data(), spread.data(), workspace);
  const std::vector<float> others(cotangents_.size(), 3.0f);
  function.Pullback(others.data(), kRows, gradients.data(), workspace);
  function.Pullback(cotangents_.data(), kRows, gradients.data(), workspace);
  EXPECT_EQ(gradients, expected.gradients);
}

TEST_P(RandomEnsemble, AllocatesNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer counts the allocations";
  const ValueFunction function(heads_);
  std::vector<float> workspace(function.workspace_size(kRows));
  std::vector<float> values(cotangents_.size()), spread(cotangents_.size());
  std::vector<float> gradients(codes_.size());
  const test::AllocationCount allocations;
  function.Evaluate(codes_.data(), kRows, values.data(), spread.data(), workspace);
  function.Pullback(cotangents_.data(), kRows, gradients.data(), workspace);
  EXPECT_EQ(allocations.since_construction(), 0u);
}

}  // namespace
}  // namespace rhumb::net
