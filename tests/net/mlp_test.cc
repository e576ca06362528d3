#include "rhumb/net/mlp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rhumb/core/math/random.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::net {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<float> Draws(std::size_t count, std::uint32_t unit) {
  core::Stream noise(5, core::Purpose::kBenchmark, unit);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(noise.Normal());
  return values;
}

std::vector<float> Outputs(const Mlp& network, const std::vector<float>& x, int rows) {
  std::vector<float> workspace(network.workspace_size(rows));
  std::vector<float> y(static_cast<std::size_t>(rows * network.outputs()));
  network.Forward(x.data(), rows, y.data(), workspace);
  return y;
}

// h = act(x [1 -1] + [0 0.5]), y = h [2; 4] + 1. For x = 2: act(2) * 2 + act(-1.5) * 4 + 1.
TEST(Mlp, ByHand) {
  const double tail[] = {0, std::expm1(-1.5), std::tanh(-1.5)};
  const double head[] = {2, 2, std::tanh(2.0)};
  const Activation kinds[] = {Activation::kRelu, Activation::kElu, Activation::kTanh};
  for (std::size_t i = 0; i < 3; ++i) {
    Mlp network({1, 2, 1}, kinds[i]);
    network.SetLayer(0, std::vector<float>{1, -1}, std::vector<float>{0, 0.5f});
    network.SetLayer(1, std::vector<float>{2, 4}, std::vector<float>{1});
    EXPECT_NEAR(Outputs(network, {2}, 1)[0], head[i] * 2 + tail[i] * 4 + 1, 1e-6)
        << kActivationNames.NameOf(kinds[i]);
  }
}

// A network without a hidden layer is affine for every activation.
TEST(Mlp, OneLayerHasNoActivation) {
  Mlp network({2, 1}, Activation::kRelu);
  network.SetLayer(0, std::vector<float>{1, 1}, std::vector<float>{-5});
  EXPECT_EQ(Outputs(network, {1, 2}, 1)[0], -2);
}

// Widths that are not multiples of the vector width, against a plain loop in double.
TEST(Mlp, OddWidthsEqualAPlainLoop) {
  const std::vector<int> sizes = {11, 33, 17, 3};
  Mlp network(sizes, Activation::kElu);
  std::vector<std::vector<float>> weights, biases;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    weights.push_back(
        Draws(static_cast<std::size_t>(sizes[i] * sizes[i + 1]), static_cast<std::uint32_t>(i)));
    biases.push_back(
        Draws(static_cast<std::size_t>(sizes[i + 1]), static_cast<std::uint32_t>(10 + i)));
    for (float& weight : weights.back()) weight *= 0.3f;
    network.SetLayer(i, weights[i], biases[i]);
  }
  constexpr int kRows = 13;
  const std::vector<float> x = Draws(11 * kRows, 99);
  const std::vector<float> y = Outputs(network, x, kRows);
  for (std::size_t row = 0; row < kRows; ++row) {
    std::vector<double> h(x.begin() + static_cast<std::ptrdiff_t>(row * 11),
                          x.begin() + static_cast<std::ptrdiff_t>(row * 11 + 11));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto outputs = static_cast<std::size_t>(sizes[i + 1]);
      std::vector<double> next(biases[i].begin(), biases[i].end());
      for (std::size_t j = 0; j < h.size(); ++j) {
        for (std::size_t o = 0; o < outputs; ++o) next[o] += h[j] * weights[i][j * outputs + o];
      }
      if (i + 1 < weights.size()) {
        for (double& value : next) value = value < 0 ? std::expm1(value) : value;
      }
      h = next;
    }
    for (std::size_t o = 0; o < 3; ++o) EXPECT_NEAR(y[row * 3 + o], h[o], 1e-5);
  }
}

TEST(Mlp, RowsDoNotDependOnTheirGrouping) {
  Mlp network({5, 20, 2}, Activation::kElu);
  network.SetLayer(0, Draws(100, 1), Draws(20, 2));
  network.SetLayer(1, Draws(40, 3), Draws(2, 4));
  const std::vector<float> x = Draws(5 * 16, 5);
  const std::vector<float> together = Outputs(network, x, 16);
  for (std::size_t row = 0; row < 16; ++row) {
    const auto at = x.begin() + static_cast<std::ptrdiff_t>(row * 5);
    const std::vector<float> alone = Outputs(network, {at, at + 5}, 1);
    EXPECT_EQ(alone[0], together[row * 2]);
    EXPECT_EQ(alone[1], together[row * 2 + 1]);
  }
}

TEST(Mlp, ForwardAllocatesNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer counts the allocations";
  Mlp network({5, 20, 2}, Activation::kTanh);
  const std::vector<float> x = Draws(5 * 8, 5);
  std::vector<float> workspace(network.workspace_size(8)), y(16);
  const test::AllocationCount allocations;
  network.Forward(x.data(), 8, y.data(), workspace);
  EXPECT_EQ(allocations.since_construction(), 0u);
}

// Input rows are two floats apart; output rows in the workspace are 16 wide.
TEST(Mlp, RunTakesRowsApartAndLeavesTheOutputsInTheWorkspace) {
  Mlp network({1, 2, 3}, Activation::kRelu);
  network.SetLayer(0, std::vector<float>{1, -1}, std::vector<float>{0, 0});
  network.SetLayer(1, std::vector<float>{1, 2, 3, 10, 20, 30}, std::vector<float>{0, 0, 1});
  std::vector<float> workspace(network.workspace_size(2));
  const float x[] = {4, 99, -5};
  const float* y = network.Run(x, 2, 2, workspace);
  ASSERT_EQ(network.padded_outputs(), 16);
  EXPECT_THAT(std::vector<float>(y, y + 3), ElementsAre(4, 8, 13));
  EXPECT_THAT(std::vector<float>(y + 16, y + 19), ElementsAre(50, 100, 151));
}

TEST(Layer, ByHand) {
  const Layer layer(2, 1, std::vector<float>{2, 3}, std::vector<float>{0.5f});
  const float x[] = {1, 10};
  std::vector<float> y(16, -1.0f);
  layer.Apply(x, 2, 1, y.data());
  EXPECT_EQ(y[0], 32.5f);
  for (std::size_t i = 1; i < 16; ++i) EXPECT_EQ(y[i], 0);
}

TEST(Layer, RoundTripIsDense) {
  const test::ScratchFolder folder;
  const Layer layer(3, 5, Draws(15, 1), Draws(5, 2));
  SafetensorsWriter out;
  layer.Write(out, "a");
  layer.Write(out, "half", true);
  const SafetensorsFile file(folder.Write("l.safetensors", out.Bytes()));
  EXPECT_THAT(file.shape("a.weight"), ElementsAre(3, 5));
  EXPECT_THAT(file.shape("a.bias"), ElementsAre(5));
  EXPECT_EQ(file.Floats("a.weight"), Draws(15, 1));
  const Layer back = Layer::Read(file, "a", 3, 5);
  EXPECT_EQ(back.weights, layer.weights);
  EXPECT_EQ(back.bias, layer.bias);
  EXPECT_NE(Layer::Read(file, "half").weights, layer.weights);
  EXPECT_EQ(Layer::Read(file, "half").bias, layer.bias);
  EXPECT_THAT(test::ErrorOf([&] { Layer::Read(file, "a", 4); }),
              AllOf(HasSubstr("l.safetensors"), HasSubstr("'a.weight'"), HasSubstr("[3, 5]"),
                    HasSubstr("[4, 1 to 1048576]")));
  EXPECT_THAT(test::ErrorOf([&] { Layer::Read(file, "a", 3, 4); }), HasSubstr("[3, 4]"));
}

TEST(Mlp, RoundTripIsExact) {
  const test::ScratchFolder folder;
  Mlp network({5, 20, 2}, Activation::kElu);
  network.SetLayer(0, Draws(100, 1), Draws(20, 2));
  network.SetLayer(1, Draws(40, 3), Draws(2, 4));
  SafetensorsWriter out;
  network.Write(out, "n");
  const SafetensorsFile file(folder.Write("n.safetensors", out.Bytes()));
  const Mlp back = Mlp::Read(file, "n", Activation::kElu, 5);
  EXPECT_EQ(back.sizes(), network.sizes());
  EXPECT_EQ(Outputs(back, Draws(5, 5), 1), Outputs(network, Draws(5, 5), 1));
  EXPECT_THAT(test::ErrorOf([&] { Mlp::Read(file, "n", Activation::kElu, 6); }),
              HasSubstr("'n.0.weight'"));
  EXPECT_THAT(test::ErrorOf([&] { Mlp::Read(file, "m", Activation::kElu); }),
              HasSubstr("'m.0.weight'"));
}

TEST(Mlp, ActivationsAreReadByName) {
  const test::ScratchFolder scratch;
  const auto read = [&](const std::string& word) {
    SafetensorsWriter out;
    out.SetMetadata("activation", word);
    return ReadActivation(SafetensorsFile(scratch.Write("a", out.Bytes())), "activation");
  };
  EXPECT_EQ(read("relu"), Activation::kRelu);
  EXPECT_EQ(read("tanh"), Activation::kTanh);
  EXPECT_THAT(test::ErrorOf([&] { read("rellu"); }),
              AllOf(HasSubstr("unknown activation 'rellu'"), HasSubstr("'relu'")));
}

}  // namespace
}  // namespace rhumb::net
