#include "rhumb/learn/representation/representation_losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "tests/learn/golden_tensor.h"
#include "tests/learn/representation/decoder_reference.h"

namespace rhumb::learn::representation {
namespace {

using nlohmann::json;
using Inputs = std::vector<torch::Tensor>;

// Compares a loss with its golden value, and its gradients with those stored for the inputs.
void ExpectGolden(const std::string& name, const std::vector<std::string>& inputs,
                  const std::function<torch::Tensor(const Inputs&)>& loss) {
  const json golden = ReadGolden("representation")[name];
  Inputs values;
  for (const std::string& input : inputs) {
    values.push_back(ToTensor(golden[input])
                         .to(torch::kFloat32)
                         .requires_grad_(golden["gradients"].contains(input)));
  }
  const torch::Tensor value = loss(values);
  ExpectClose(value, ToTensor(golden["loss"]), name);
  value.backward();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!values[i].requires_grad()) continue;
    ExpectClose(values[i].grad(), ToTensor(golden["gradients"][inputs[i]]),
                name + ", " + inputs[i]);
  }
}

// Two rows of two actions. Standardised distances (1, 0) and (2, -1), standard deviations (1, 1)
// and (1/2, 1). They give 1/2 + 0 and (2 + 1/2) - log 2, plus log 2 pi for two actions; the loss is
// the mean of the rows.
TEST(GaussianNll, ByHand) {
  const torch::Tensor action = torch::tensor({{1.0f, 3.0f}, {1.0f, 0.0f}});
  const torch::Tensor mean = torch::tensor({{0.0f, 3.0f}, {0.0f, 1.0f}});
  const torch::Tensor log_deviation = torch::tensor({{1.0f, 1.0f}, {0.5f, 1.0f}}).log();
  EXPECT_FLOAT_EQ(GaussianNll(action, mean, log_deviation).item<float>(),
                  static_cast<float>((3 - std::numbers::ln2) / 2 + std::log(2 * std::numbers::pi)));
}

// Teacher N(0, 1), student N(1, 2^2): log 2 + (1 + 1) / 8 - 1/2. Swapped: -log 2 + (4 + 1) / 2 -
// 1/2. For equal Gaussians: 0.
TEST(GaussianKl, ByHand) {
  const torch::Tensor zero = torch::zeros({1, 1}), one = torch::ones({1, 1});
  const torch::Tensor log_two = torch::full({1, 1}, std::numbers::ln2);
  EXPECT_FLOAT_EQ(GaussianKl(zero, zero, one, log_two).item<float>(),
                  static_cast<float>(std::numbers::ln2 - 0.25));
  EXPECT_FLOAT_EQ(GaussianKl(one, log_two, zero, zero).item<float>(),
                  static_cast<float>(2 - std::numbers::ln2));
  EXPECT_NEAR(GaussianKl(one, log_two, one, log_two).item<float>(), 0, 1e-7);
  // The deviations' part, and an error of one teacher's deviation of 1 or 2.
  EXPECT_FLOAT_EQ(GaussianSplitKl(zero, zero, one, log_two).item<float>(),
                  static_cast<float>(std::log(2) + 1.0 / 8 - 0.5 + 0.5));
  EXPECT_FLOAT_EQ(GaussianSplitKl(one, log_two, zero, zero).item<float>(),
                  static_cast<float>(-std::log(2) + 2 - 0.5 + 1.0 / 8));
}

// Means (1, 2) and standard deviations 1 give (1 + 4) / 2. Mean 0 and standard deviations (2, 1)
// give (4 - 1) / 2 - log 2. The loss is the mean of the two codes.
TEST(PosteriorKl, ByHand) {
  const torch::Tensor mean = torch::tensor({{1.0f, 2.0f}, {0.0f, 0.0f}});
  const torch::Tensor log_deviation = torch::tensor({{1.0f, 1.0f}, {2.0f, 1.0f}}).log();
  EXPECT_FLOAT_EQ(PosteriorKl(mean, log_deviation).item<float>(),
                  static_cast<float>((2.5 + 1.5 - std::numbers::ln2) / 2));
}

// U = diag(2, 1) in the first two of three columns: U U^T - I = diag(3, 0), squares 9, and the mean
// over four entries is 9/4. A semi-orthonormal U costs nothing, so the mean with one is half.
TEST(Orthonormality, ByHand) {
  const torch::Tensor weights = torch::tensor(
      {{{2.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}, {{0.0f, 0.0f, 1.0f}, {0.6f, 0.8f, 0.0f}}});
  EXPECT_FLOAT_EQ(Orthonormality(weights, false).item<float>(), 4.5f);
  EXPECT_FLOAT_EQ(Orthonormality(weights, true).item<float>(), 4.5f / 4);
}

// Two pairs at right angles: the positive has cosine 1, the two negatives 0; lengths do not matter.
TEST(InfoNce, ByHand) {
  const torch::Tensor z = torch::tensor({{{1.0f, 0.0f}, {2.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, 3.0f}}});
  EXPECT_FLOAT_EQ(InfoNce(z, 1).item<float>(), static_cast<float>(std::log1p(2 / std::exp(1))));
  // With a lower temperature the same order costs less: log(1 + 2 e^-10).
  EXPECT_NEAR(InfoNce(z, 0.1).item<float>(), std::log1p(2 * std::exp(-10)), 1e-6);
}

TEST(RepresentationLosses, EqualTheGoldenValues) {
  ExpectGolden("gaussian_nll", {"action", "mean", "log_deviation"},
               [](const Inputs& in) { return GaussianNll(in[0], in[1], in[2]); });
  ExpectGolden("gaussian_kl", {"teacher_mean", "teacher_log_deviation", "mean", "log_deviation"},
               [](const Inputs& in) { return GaussianKl(in[0], in[1], in[2], in[3]); });
  ExpectGolden("posterior_kl", {"mean", "log_deviation"},
               [](const Inputs& in) { return PosteriorKl(in[0], in[1]); });
  ExpectGolden("orthonormality_sum", {"weights"},
               [](const Inputs& in) { return Orthonormality(in[0], false); });
  ExpectGolden("orthonormality_mean", {"weights"},
               [](const Inputs& in) { return Orthonormality(in[0], true); });
  ExpectGolden("info_nce", {"z"}, [](const Inputs& in) { return InfoNce(in[0], 0.07); });
}

}  // namespace
}  // namespace rhumb::learn::representation
