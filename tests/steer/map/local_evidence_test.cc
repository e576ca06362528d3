#include "rhumb/steer/map/local_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rhumb/core/math/random.h"

namespace rhumb::steer {
namespace {

using testing::ElementsAre;

// Kernels are float, for numbers around 1.
constexpr double kRounding = 1e-6;
// The kernel at the distance of the farthest neighbour, where l is 0.7 of it. At twice the
// distance it is the fourth power.
const double kFarthest = std::exp(-1 / (2 * 0.7 * 0.7));

// Returns e(code) for codes of one element, with one objective.
double ErrorAt(float code, const std::vector<float>& codes, const std::vector<double>& residuals,
               const std::vector<double>& noise) {
  double value = 0;
  LocalEvidence(codes, 1, residuals, noise).Correct(std::vector<float>{code}, std::span(&value, 1));
  return value;
}

// The residual 2 contains noise 1 and a heads' error whose square is 4 - 1. So G = 1/3, and the
// realised value has weight 1 / (1 + G) = 3/4.
TEST(LocalEvidence, OfOneCodeByHand) {
  const LocalEvidence evidence(std::vector<float>{1, 0}, 2, {2}, {1});
  std::vector<double> values = {10};
  evidence.Correct(std::vector<float>{1, 0}, values);
  EXPECT_NEAR(values[0], 10 + 0.75 * 2, kRounding);
  values = {10};
  evidence.Correct(std::vector<float>{1, 0.5f}, values);
  EXPECT_NEAR(values[0], 10 + kFarthest * 0.75 * 2, kRounding);
}

// The variance is the kernel's remainder of that error, plus the noise of another mean.
TEST(LocalEvidence, StandardDeviationsOfOneCodeByHand) {
  const LocalEvidence evidence(std::vector<float>{1, 0}, 2, {2}, {1});
  std::vector<double> values = {10}, stds = {7};
  evidence.Correct(std::vector<float>{1, 0}, values, stds);
  EXPECT_NEAR(values[0], 10 + 0.75 * 2, kRounding);
  EXPECT_NEAR(stds[0], std::sqrt(3 * (1 - 0.75) + 1), kRounding);
  evidence.Correct(std::vector<float>{1, 0.5f}, values, stds);
  EXPECT_NEAR(stds[0], std::sqrt(3 * (1 - 0.75 * kFarthest * kFarthest) + 1), kRounding);
}

// Half-way between codes with noise 1 and 5 the noise is 3; the squared error is 9 - 1 = 8.
TEST(LocalEvidence, TheNoiseIsThatOfTheCodesAround) {
  const LocalEvidence evidence(std::vector<float>{0, 2}, 1, {3, 1}, {1, 5});
  std::vector<double> values = {0}, stds = {0};
  evidence.Correct(std::vector<float>{1}, values, stds);
  const double c = std::pow(kFarthest, 4), a = 1 + 1.0 / 8, b = 1 + 5.0 / 8;
  const double explained = kFarthest * kFarthest * (a + b - 2 * c) / (a * b - c * c);
  EXPECT_NEAR(stds[0], std::sqrt(8 * (1 - explained) + 3), kRounding);
}

// The third code sometimes falls. The squared error of the others is (9 + 9 - 2) / 2 = 8. At one
// place they have weight 8 each, the third 0.008, and the heads 1.
TEST(LocalEvidence, TheErrorIsThatOfTheLessNoisyHalf) {
  const std::vector<double> residuals = {3, 500, 3}, noise = {1, 1000, 1};
  EXPECT_NEAR(ErrorAt(0, {0, 0, 0}, residuals, noise), (16 * 3 + 0.008 * 500) / 17.008, kRounding);
}

// Residuals of 3 and 1 with equal noise 1 have a squared error of (9 + 1 - 2) / 2 = 4, so G = 1/4.
// From the first code l is 0.7 * 2; from the middle it is 0.7 * 1.
TEST(LocalEvidence, OfTwoCodesByHand) {
  const std::vector<float> codes = {0, 2};
  const std::vector<double> residuals = {3, 1}, noise = {1, 1};
  // [1.25 c; c 1.25] w = [1; c]
  const double c = kFarthest;
  const double determinant = 1.25 * 1.25 - c * c;
  const double first = (1.25 - c * c) / determinant, second = (1.25 * c - c) / determinant;
  EXPECT_NEAR(ErrorAt(0, codes, residuals, noise), 3 * first + second, kRounding);
  EXPECT_NEAR(ErrorAt(2, codes, residuals, noise), first + 3 * second, kRounding);
  EXPECT_NEAR(ErrorAt(1, codes, residuals, noise),
              (3 + 1) * kFarthest / (1.25 + std::pow(kFarthest, 4)), kRounding);
}

// Far away l is so long that all codes seem to be at one place. Their mean counts as that of one
// code.
TEST(LocalEvidence, AThirdIsSaidFarAway) {
  const std::vector<float> codes = {0, 2};
  const std::vector<double> residuals = {3, 1}, noise = {1, 1};
  EXPECT_NEAR(ErrorAt(1 << 20, codes, residuals, noise), kFarthest * (3 + 1) / 2.25, 1e-5);
  EXPECT_NEAR(ErrorAt(-(1 << 20), codes, residuals, noise), kFarthest * (3 + 1) / 2.25, 1e-5);
}

// At one place a code has weight 1/G, and the heads have 1. Squared errors of 16 - 1 = 15 and of 4
// - 1 = 3 give 15 and 5 of 21, 1 and 3 of 5.
TEST(LocalEvidence, NoisyCodesCountLess) {
  const std::vector<float> codes = {5, 5};
  const std::vector<double> residuals = {4, 2};
  EXPECT_NEAR(ErrorAt(5, codes, residuals, {1, 3}), (4 * 15 + 2 * 5) / 21.0, kRounding);
  EXPECT_NEAR(ErrorAt(5, codes, residuals, {3, 1}), (4 * 1 + 2 * 3) / 5.0, kRounding);
}

// Zero noise counts as 1/100 of the error, and at least a tenth of the residual is error.
TEST(LocalEvidence, SharesOfTheNoiseAreLimited) {
  EXPECT_NEAR(ErrorAt(0, {0}, {2}, {0}), 2 / 1.01, kRounding);
  EXPECT_NEAR(ErrorAt(0, {0}, {2}, {8}), 2.0 / (1 + 8 / 0.4), kRounding);
  EXPECT_NEAR(ErrorAt(0, {0}, {2}, {1e9}), 0, kRounding);
  EXPECT_EQ(ErrorAt(0, {0}, {0}, {1}), 0);
}

// More codes than neighbours; 16 neighbours with G = 1/100 count as one with 1/1600.
TEST(LocalEvidence, ManyCodesAtOnePlace) {
  const std::vector<float> codes(40, 3);
  const std::vector<double> residuals(40, 2), noise(40, 0);
  EXPECT_NEAR(ErrorAt(3, codes, residuals, noise), 2 * 1600.0 / 1601, kRounding);
  EXPECT_NEAR(ErrorAt(4, codes, residuals, noise), kFarthest * 2 * 1600 / 1601, kRounding);
}

TEST(LocalEvidence, OnlyTheNearestCount) {
  std::vector<float> codes;
  std::vector<double> residuals;
  for (int i = 1; i <= 16; ++i) {
    codes.push_back(static_cast<float>(i % 2 == 0 ? i : -i));
    residuals.push_back(1 + i % 3);
  }
  const double near = ErrorAt(0, codes, residuals, std::vector<double>(16, 0));
  codes.insert(codes.begin(), 17);
  residuals.insert(residuals.begin(), 1000);
  EXPECT_NEAR(ErrorAt(0, codes, residuals, std::vector<double>(17, 0)), near, kRounding);
  codes.front() = 15.5f;
  EXPECT_GT(std::abs(ErrorAt(0, codes, residuals, std::vector<double>(17, 0)) - near), 1);
}

// Shares of 1/3 and 36 / 64.
TEST(LocalEvidence, EachObjectiveHasItsOwnWeights) {
  const LocalEvidence evidence(std::vector<float>{0}, 1, {2, -10}, {1, 36});
  std::vector<double> values = {1, 100};
  evidence.Correct(std::vector<float>{0}, values);
  EXPECT_NEAR(values[0], 1 + 2 * 0.75, kRounding);
  EXPECT_NEAR(values[1], 100 - 10 * 0.64, 100 * kRounding);
}

TEST(LocalEvidence, TheOrderOfTheTableDoesNotMatter) {
  constexpr int kCodes = 100, kSize = 4;
  core::Stream stream(1, core::Purpose::kBenchmark);
  std::vector<float> codes;
  std::vector<double> residuals, noise;
  for (int i = 0; i < kCodes * kSize; ++i) codes.push_back(stream.Uniform(-1, 1));
  for (int i = 0; i < kCodes; ++i) residuals.push_back(stream.Uniform(-1, 1));
  for (int i = 0; i < kCodes; ++i) noise.push_back(stream.Uniform(0.05, 0.2));
  const std::vector<float> asked(codes.begin() + kSize, codes.begin() + 2 * kSize);
  double value = 0, turned = 0;
  LocalEvidence(codes, kSize, residuals, noise).Correct(asked, std::span(&value, 1));
  // Reversing the table also reverses the elements of its codes, so the queried code is reversed
  // too.
  std::reverse(codes.begin(), codes.end());
  std::reverse(residuals.begin(), residuals.end());
  std::reverse(noise.begin(), noise.end());
  LocalEvidence(codes, kSize, residuals, noise)
      .Correct(std::vector<float>(asked.rbegin(), asked.rend()), std::span(&turned, 1));
  EXPECT_GT(std::abs(value), 0.01);
  EXPECT_NEAR(turned, value, kRounding);
}

TEST(LocalEvidence, NothingRolledOutSaysNothing) {
  const LocalEvidence evidence({}, 3, {}, {});
  std::vector<double> values = {1, 2};
  evidence.Correct(std::vector<float>{0, 0, 0}, values);
  EXPECT_THAT(values, ElementsAre(1, 2));
}

}  // namespace
}  // namespace rhumb::steer
