#include "rhumb/learn/representation/rank_contrast.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "rhumb/core/math/random.h"
#include "rhumb/learn/device/initial_weights.h"
#include "tests/learn/golden_tensor.h"

namespace rhumb::learn::representation {
namespace {

using nlohmann::json;

struct Result {
  torch::Tensor loss, gradient;
};

Result Contrast(const torch::Tensor& z, const torch::Tensor& labels, double temperature) {
  const torch::Tensor leaf = z.detach().clone().requires_grad_();
  const torch::Tensor loss = RankContrast(leaf, RankLabels(labels), temperature);
  loss.backward();
  return {loss.detach(), leaf.grad()};
}

// The version that runs on CUDA.
Result ContrastByTensors(const torch::Tensor& z, const torch::Tensor& labels, double temperature) {
  const RankContrastResult result = RankContrastByTensors(z, RankLabels(labels), temperature);
  return {result.loss, result.gradient};
}

// The definition in double, with every set F_ij written out: O(n^3), and autograd's gradient.
Result SolvePlainly(const torch::Tensor& z, const torch::Tensor& labels, double temperature) {
  const std::int64_t rankings = z.size(0), n = z.size(1);
  const torch::Tensor leaf = z.detach().to(torch::kFloat64, false, true).requires_grad_();
  const torch::Tensor itself = torch::eye(n, torch::kBool), y = labels.to(torch::kFloat64);
  torch::Tensor total = torch::zeros({}, torch::kFloat64);
  for (std::int64_t k = 0; k < rankings; ++k) {
    const torch::Tensor squares =
        (leaf[k].unsqueeze(1) - leaf[k].unsqueeze(0)).square().sum(-1).masked_fill(itself, 1);
    const torch::Tensor s = squares.sqrt() / -temperature;
    const torch::Tensor d = (y[k].unsqueeze(1) - y[k].unsqueeze(0)).abs();
    // [i, j, l]: whether l is in F_ij.
    const torch::Tensor farther = (d.unsqueeze(1) >= d.unsqueeze(2)) & ~itself.unsqueeze(1);
    const torch::Tensor sums = s.unsqueeze(1)
                                   .expand({n, n, n})
                                   .masked_fill(~farther, -std::numeric_limits<double>::infinity())
                                   .logsumexp(2);
    total = total + (sums - s).masked_fill(itself, 0).sum();
  }
  const torch::Tensor loss = total / (rankings * n * (n - 1));
  loss.backward();
  return {loss.detach(), leaf.grad()};
}

void ExpectSame(const Result& actual, const Result& expected, const std::string& what) {
  ExpectClose(actual.loss, expected.loss, what + ", loss");
  ExpectClose(actual.gradient, expected.gradient, what + ", gradient");
}

// Points 0, 1, 3 on a line with labels 0, 1, 5 and tau 1. From each point the nearer label competes
// with the farther one, which has no competitor:
//   point 0: log(e^-1 + e^-3) + 1 = log(1 + e^-2), point 1: log(e^-1 + e^-2) + 1 = log(1 + e^-1),
//   point 2: log(e^-2 + e^-3) + 2 = log(1 + e^-1); six pairs.
// The exponents are z_1 - z_2, 2 z_1 - z_0 - z_2 and z_0 - z_1. With p = 1 / (1 + e^2) and q = 1 /
// (1 + e) the gradient is (-q + q, p + 2q - q, -p - q) / 6.
TEST(RankContrast, ByHand) {
  const torch::Tensor z = torch::tensor({0.0f, 1.0f, 3.0f}).view({1, 3, 1});
  const Result result = Contrast(z, torch::tensor({{0.0f, 1.0f, 5.0f}}), 1);
  EXPECT_FLOAT_EQ(
      result.loss.item<float>(),
      static_cast<float>((std::log1p(std::exp(-2)) + 2 * std::log1p(std::exp(-1))) / 6));
  const auto share = static_cast<float>((1 / (1 + std::exp(2)) + 1 / (1 + std::exp(1))) / 6);
  EXPECT_NEAR(result.gradient[0][0].item<float>(), 0, 1e-8);
  EXPECT_FLOAT_EQ(result.gradient[0][1].item<float>(), share);
  EXPECT_FLOAT_EQ(result.gradient[0][2].item<float>(), -share);
}

// If the farther competitors vanish, at e^-20 of a nearer one, only ties have a cost: log m for
// each of m. Of the six pairs of labels 0, 1, 2 the two seen from 1 tie. This is Zha et al.'s lower
// bound, up to the rounding of a similarity of 20.
TEST(RankContrast, TiesAloneCostWhereTheOrderIsPerfect) {
  const torch::Tensor labels = torch::tensor({{0.0f, 1.0f, 2.0f}});
  const Result result = Contrast(10 * labels.unsqueeze(2), labels, 0.5);
  EXPECT_NEAR(result.loss.item<float>(), 2 * std::log(2) / 6, 1e-6);
}

// Two samples have no order, so loss and gradient are 0.
TEST(RankContrast, TwoSamplesCostNothing) {
  const torch::Tensor z = torch::tensor({0.0f, 1.0f, 2.0f, -1.0f}).view({1, 2, 2});
  for (const float other : {0.0f, 5.0f}) {
    const Result result = Contrast(z, torch::tensor({{0.0f, other}}), 0.5);
    EXPECT_EQ(result.loss.item<float>(), 0);
    EXPECT_EQ(result.gradient.abs().max().item<float>(), 0);
  }
}

// All labels are equal, and the points are the corners of an equilateral triangle. Each of the two
// other points costs log 2, and by symmetry the gradients of the pairs cancel.
TEST(RankContrast, AllLabelsEqualByHand) {
  const auto height = static_cast<float>(std::sqrt(0.75));
  const torch::Tensor z = torch::tensor({0.0f, 0.0f, 1.0f, 0.0f, 0.5f, height}).view({1, 3, 2});
  const Result result = Contrast(z, torch::full({1, 3}, 4.0f), 0.5);
  EXPECT_FLOAT_EQ(result.loss.item<float>(), static_cast<float>(std::log(2)));
  EXPECT_NEAR(result.gradient.abs().max().item<float>(), 0, 1e-7);
}

// Coincident points have no direction from each other, but a finite gradient.
TEST(RankContrast, CoincidentPointsAreFinite) {
  for (const auto solve : {Contrast, ContrastByTensors}) {
    const Result result =
        solve(torch::ones({1, 4, 3}), torch::tensor({{0.0f, 1.0f, 1.0f, 3.0f}}), 0.5);
    EXPECT_TRUE(result.gradient.isfinite().all().item<bool>());
    EXPECT_TRUE(result.loss.isfinite().item<bool>());
  }
}

TEST(RankContrast, EqualsThePlainEvaluation) {
  torch::manual_seed(1);
  for (const std::int64_t n : {2, 3, 7, 40}) {
    const torch::Tensor z = torch::randn({3, n, 4});
    // Distinct labels, a few levels with many ties, and all equal.
    for (const torch::Tensor& labels :
         {1000 * torch::randn({3, n}), torch::randint(0, 4, {3, n}).to(torch::kFloat32),
          torch::full({3, n}, -2.5f)}) {
      const Result plain = SolvePlainly(z, labels, 0.5);
      ExpectSame(Contrast(z, labels, 0.5), plain, "by anchor");
      ExpectSame(ContrastByTensors(z, labels, 0.5), plain, "by tensors");
    }
  }
}

// 1100 anchors exceed one piece of the tensor version. Sums of 1099 floats are rounded to a few
// 1e-6 of their size.
TEST(RankContrast, ManyAnchorsInPieces) {
  torch::manual_seed(9);
  const torch::Tensor z = torch::randn({1, 1100, 2});
  const torch::Tensor labels = torch::randint(0, 300, {1, 1100}).to(torch::kFloat64);
  const RankContrastResult exact = RankContrastByAnchor(z, labels, 0.5);
  const RankContrastResult pieces = RankContrastByTensors(z, RankLabels(labels), 0.5);
  ExpectClose(pieces.loss, exact.loss.to(torch::kFloat64), "loss");
  EXPECT_TRUE(torch::allclose(pieces.gradient, exact.gradient, 1e-5,
                              1e-5 * exact.gradient.abs().max().item<double>()));
}

TEST(RankContrast, ThreadsDoNotChangeABit) {
  torch::manual_seed(10);
  const torch::Tensor z = torch::randn({2, 50, 3}), labels = torch::randn({2, 50});
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const Result one = Contrast(z, labels, 0.5);
  for (const int threads : {2, 3}) {
    at::set_num_threads(threads);
    const Result several = Contrast(z, labels, 0.5);
    EXPECT_TRUE(torch::equal(several.loss, one.loss)) << threads;
    EXPECT_TRUE(torch::equal(several.gradient, one.gradient)) << threads;
  }
  at::set_num_threads(before);
}

// A NaN point makes the loss NaN, which marks the step as lost. A NaN label still terminates.
TEST(RankContrast, WhatIsNotANumberShows) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const torch::Tensor z = torch::tensor({0.0f, none, 3.0f}).view({1, 3, 1});
  const torch::Tensor labels = torch::tensor({{0.0f, 1.0f, 5.0f}});
  EXPECT_TRUE(Contrast(z, labels, 1).loss.isnan().item<bool>());
  EXPECT_TRUE(Contrast(z, labels, 1).gradient.isnan().any().item<bool>());
  Contrast(torch::ones({1, 3, 1}), torch::tensor({{0.0f, none, none}}), 1);
}

// Similarities of -1e4, whose exponentials vanish in float and in double.
TEST(RankContrast, FarPointsNeitherOverflowNorVanish) {
  torch::manual_seed(2);
  const torch::Tensor labels = torch::randn({1, 12});
  const torch::Tensor z = 3000 * torch::randn({1, 12, 2});
  const Result plain = SolvePlainly(z, labels, 0.5);
  ExpectSame(Contrast(z, labels, 0.5), plain, "by anchor");
  const Result result = ContrastByTensors(z, labels, 0.5);
  ExpectClose(result.loss, plain.loss, "loss");
  // A similarity of 1e4 is rounded to 1e-3 in float, so its exponential has this relative error.
  EXPECT_TRUE(torch::allclose(result.gradient.to(torch::kFloat64), plain.gradient, 2e-3,
                              2e-3 * plain.gradient.abs().max().item<double>()));
}

TEST(RankContrast, EqualsTheGoldenValues) {
  const json golden = ReadGolden("representation")["rank_contrast"];
  for (const char* name : {"distinct", "views", "ties"}) {
    const json& sample = golden[name];
    const Result expected{ToTensor(sample["loss"]), ToTensor(sample["gradients"]["z"])};
    for (const auto solve : {Contrast, ContrastByTensors}) {
      ExpectSame(solve(ToTensor(sample["z"]).to(torch::kFloat32), ToTensor(sample["labels"]),
                       sample["temperature"]),
                 expected, name);
    }
  }
}

// Only the order of label distances matters; units, origin and sign of a label do not.
TEST(RankContrast, UnitsOfLabelsDoNotMatter) {
  torch::manual_seed(3);
  const torch::Tensor z = torch::randn({2, 20, 4});
  const torch::Tensor labels = torch::randint(-50, 50, {2, 20}).to(torch::kFloat32);
  const Result plain = Contrast(z, labels, 0.5), moved = Contrast(z, 7 - 4 * labels, 0.5);
  EXPECT_TRUE(torch::equal(plain.loss, moved.loss));
  EXPECT_TRUE(torch::equal(plain.gradient, moved.gradient));
}

// Permuted samples have the same loss, up to rounding in another order of sums, and permuted
// gradients.
TEST(RankContrast, PermutedSamplesHavePermutedGradients) {
  torch::manual_seed(4);
  const torch::Tensor z = torch::randn({2, 20, 4});
  const torch::Tensor labels = torch::randint(0, 10, {2, 20}).to(torch::kFloat32);
  const torch::Tensor order = torch::randperm(20);
  const Result plain = Contrast(z, labels, 0.5);
  const Result permuted = Contrast(z.index_select(1, order), labels.index_select(1, order), 0.5);
  ExpectClose(permuted.loss, plain.loss.to(torch::kFloat64), "loss");
  ExpectClose(permuted.gradient, plain.gradient.index_select(1, order).to(torch::kFloat64),
              "gradient");
}

// Each ranking contributes its share of the mean, independently of the others.
TEST(RankContrast, RankingsAreAveraged) {
  torch::manual_seed(5);
  const torch::Tensor z = torch::randn({2, 9, 3}), labels = torch::randn({2, 9});
  const Result both = Contrast(z, labels, 0.5);
  const Result first = Contrast(z.narrow(0, 0, 1), labels.narrow(0, 0, 1), 0.5);
  const Result second = Contrast(z.narrow(0, 1, 1), labels.narrow(0, 1, 1), 0.5);
  ExpectClose(both.loss, ((first.loss + second.loss) / 2).to(torch::kFloat64), "loss");
  ExpectClose(both.gradient,
              torch::cat({first.gradient / 2, second.gradient / 2}).to(torch::kFloat64),
              "gradient");
}

// --- the projection that RNC uses ----------------------------------------------------------------

// The appendix's definition for points [n, D] and labels [n].
bool IsDeltaOrdered(const torch::Tensor& points, const torch::Tensor& labels, double delta) {
  const torch::Tensor s = -(points.unsqueeze(1) - points.unsqueeze(0)).square().sum(-1).sqrt();
  const torch::Tensor d = (labels.unsqueeze(1) - labels.unsqueeze(0)).abs();
  const auto at = [](const torch::Tensor& values, std::int64_t i, std::int64_t j) {
    return values[i][j].item<double>();
  };
  const std::int64_t n = labels.size(0);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t l = 0; l < n; ++l) {
        if (j == i || l == i) continue;
        const double nearer = at(s, i, j) - at(s, i, l), label = at(d, i, j) - at(d, i, l);
        if (label < 0 && !(nearer > 1 / delta)) return false;
        if (label == 0 && !(std::abs(nearer) < delta)) return false;
        if (label > 0 && !(nearer < -1 / delta)) return false;
      }
    }
  }
  return true;
}

torch::Tensor SemiOrthonormal() {
  core::Stream noise(1, core::Purpose::kRepresentation);
  return device::Orthogonal(4, 32, 1, noise).to(torch::kFloat64);
}

// |U x| = |U^T U x|, since |U^T y|^2 = y^T U U^T y = |y|^2. U is semi-orthonormal up to float
// rounding.
TEST(Projection, ItsSquareIsAPartialIsometry) {
  torch::manual_seed(6);
  const torch::Tensor u = SemiOrthonormal(), w = u.t().mm(u);
  const torch::Tensor h = torch::randn({50, 32}, torch::kFloat64);
  const torch::Tensor differences = (h.unsqueeze(1) - h.unsqueeze(0)).view({-1, 32});
  const torch::Tensor seen = differences.mm(u.t()).norm(2, 1);
  EXPECT_TRUE(torch::allclose(seen, differences.mm(w).norm(2, 1), 1e-6, 0));
  // It shortens vectors: U does not see most of a code.
  EXPECT_LT(seen.sum().item<double>(), 0.6 * differences.norm(2, 1).sum().item<double>());
}

// z = 3 R v is ordered for delta 1/2: label distances differ by at least 1, point distances by 3 >
// 1/delta, and ties are exact. Codes with this projection and arbitrary other parts are not
// ordered, but their projections by W are.
TEST(Projection, OrderInZIsOrderInTheProjectedCodes) {
  torch::manual_seed(7);
  const torch::Tensor u = SemiOrthonormal(), w = u.t().mm(u);
  const torch::Tensor labels = torch::tensor({0.0, 1.0, 2.0, 4.0, 7.0, 7.0}, torch::kFloat64);
  const torch::Tensor direction = torch::tensor({0.5, -0.5, 0.5, 0.5}, torch::kFloat64);
  const torch::Tensor ordered = 3 * labels.unsqueeze(1) * direction;
  const torch::Tensor unseen = torch::randn({6, 32}, torch::kFloat64);
  const torch::Tensor codes = ordered.mm(u) + 5 * (unseen - unseen.mm(w));
  EXPECT_FALSE(IsDeltaOrdered(codes, labels, 0.5));
  EXPECT_TRUE(IsDeltaOrdered(codes.mm(u.t()), labels, 0.5));
  EXPECT_TRUE(IsDeltaOrdered(codes.mm(w), labels, 0.5));
  // The margin matters: at a third of the size the points lie too close for this delta.
  EXPECT_FALSE(IsDeltaOrdered(ordered / 3, labels, 0.5));
}

}  // namespace
}  // namespace rhumb::learn::representation
