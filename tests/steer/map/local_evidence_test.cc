#include "rhumb/steer/map/local_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rhumb/core/math/random.h"
#include "tests/steer/plane_model.h"
#include "tests/support/allocation_count.h"

namespace rhumb::steer {
namespace {

// Distances are float, for numbers around 1.
constexpr double kRounding = 1e-6;

const CodeMetric kCodesOfOne = PlainMetric(1);
const std::vector<double> kUnit = {1};

double Matern(double distance, double length) {
  const double scaled = std::sqrt(3.0) * distance / length;
  return (1 + scaled) * std::exp(-scaled);
}

struct Known {
  double value = 0, std = 0, noise = 0;
};

// The forecast for codes of one element, with one objective whose label has standard deviation 1.
Known At(double code, const LocalEvidence& evidence, int except = -1) {
  Known known;
  LocalEvidence::Patch patch(evidence);
  evidence.Settle(std::span(&code, 1), patch, except);
  evidence.Forecast(std::span(&code, 1), patch, std::span(&known.value, 1),
                    std::span(&known.std, 1), std::span(&known.noise, 1));
  return known;
}

// A table of 100 codes of four elements with two objectives, drawn at random.
struct RandomTable {
  static constexpr int kCodes = 100, kSize = 4;
  explicit RandomTable(std::uint64_t seed) {
    core::Stream stream(seed, core::Purpose::kBenchmark);
    for (int i = 0; i < kCodes * kSize; ++i) codes.push_back(stream.Uniform(-1, 1));
    for (int i = 0; i < kCodes * 2; ++i) values.push_back(stream.Uniform(-1, 1));
    for (int i = 0; i < kCodes * 2; ++i) noise.push_back(stream.Uniform(0.05, 0.2));
  }
  LocalEvidence Evidence() const { return {codes, metric, values, noise, stds}; }
  // The coordinates of a code.
  std::vector<double> Place(std::span<const float> code) const {
    std::vector<double> place(kSize);
    metric.Apply(std::vector<double>(code.begin(), code.end()), place);
    return place;
  }

  CodeMetric metric = PlainMetric(kSize);
  std::vector<float> codes;
  std::vector<double> values, noise;
  std::vector<double> stds = {1, 3};
};

// The mean of one code is its value. S is 4, so A = 1 + 1 / 4. With one code the length is 4.
TEST(LocalEvidence, OfOneCodeByHand) {
  const LocalEvidence evidence(std::vector<float>{1}, kCodesOfOne, {2}, {1}, kUnit);
  EXPECT_NEAR(At(1, evidence).value, 2, kRounding);
  EXPECT_NEAR(At(3, evidence).value, 2, kRounding);
  for (const float code : {1.0f, 3.0f}) {
    const double k = Matern(code - 1, 4), a = 1.25;
    EXPECT_NEAR(At(code, evidence).std,
                std::sqrt(4 * (1 - k * k / a + std::pow(1 - k / a, 2) * a) + 1), kRounding);
    EXPECT_NEAR(At(code, evidence).noise, 1, kRounding);
  }
}

// Two codes at -1 and 1 have a spread of 1, so the length is 4. Half-way between codes with equal
// noise the value is their mean.
TEST(LocalEvidence, OfTwoCodesByHand) {
  const LocalEvidence evidence(std::vector<float>{-1, 1}, kCodesOfOne, {3, 5}, {1, 1}, kUnit);
  const double c = Matern(2, 4), a = 1.25;
  EXPECT_NEAR(At(0, evidence).value, 4, kRounding);
  // [a c; c a] has the eigenvectors (1, 1) and (1, -1): k^T A^-1 (y - m) with y - m = (-1, 1).
  const double pull = (Matern(0, 4) - Matern(2, 4)) / (a - c);
  EXPECT_NEAR(At(1, evidence).value, 4 + pull, kRounding);
  EXPECT_NEAR(At(-1, evidence).value, 4 - pull, kRounding);
  const double k = Matern(1, 4), explained = 2 * k * k / (a + c), total = 2 / (a + c);
  // (y - m)^T A^-1 (y - m) corrects the variance of 4, which counts as 4 values.
  const double signal = (4 * 4 + 2 / (a - c)) / (4 + 1);
  EXPECT_NEAR(At(0, evidence).std,
              std::sqrt(signal * (1 - explained + std::pow(1 - 2 * k / (a + c), 2) / total) + 1),
              kRounding);
}

// With equal kernels a code counts by the inverse of 1 + n / S - 1 = n / S: at one place values 0
// and 10 with noise 1 and 3 have the mean 2.5.
TEST(LocalEvidence, NoisyCodesCountLess) {
  const LocalEvidence evidence(std::vector<float>{5, 5}, kCodesOfOne, {0, 10}, {1, 3}, kUnit);
  EXPECT_NEAR(At(5, evidence).value, 2.5, kRounding);
  EXPECT_NEAR(At(5, evidence).noise, std::sqrt(2), kRounding) << "the mean noise";
}

// A line of values without noise is continued: the length is 4 times the spread of the codes.
// Codes 0 to 10. Number 5 is unsteady. The mean noise is (10 * 0.01 + 1) / 11 = 0.1. At 5 the
// others are 1 to 5 away, twice each, so 0.02 * 5^2 = 0.5 is added to each square.
TEST(LocalEvidence, TheNoiseIsThatOfTheNearest) {
  std::vector<float> codes;
  std::vector<double> values(11, 3.0), noise(11, 0.01);
  for (int i = 0; i <= 10; ++i) codes.push_back(static_cast<float>(i));
  noise[5] = 1;
  const LocalEvidence evidence(codes, kCodesOfOne, values, noise, kUnit);
  double others = 0;
  for (int away = 1; away <= 5; ++away) others += 2 / (away * away + 0.5);
  const double own = 1 / 0.5;
  EXPECT_NEAR(At(5, evidence).noise, std::sqrt((own + 0.01 * others) / (own + others)), kRounding);
  // Far from it the noise is the mean's, not less.
  EXPECT_NEAR(At(0, evidence).noise, std::sqrt(0.1), kRounding);
  EXPECT_GT(At(5, evidence).std, 1.5 * At(3, evidence).std);
}

// Equal values around a code say that the map is flat there, and a cliff that it is not.
TEST(LocalEvidence, IsSurerWhereTheMapIsFlat) {
  std::vector<float> codes;
  std::vector<double> flat(16, 3.0), cliff;
  for (int i = 0; i < 16; ++i) {
    codes.push_back(static_cast<float>(i));
    cliff.push_back(i < 8 ? 3 : -3);
  }
  const auto ask = [&](const std::vector<double>& values) {
    return At(7.5, LocalEvidence(codes, kCodesOfOne, values, std::vector<double>(16, 1e-4), kUnit));
  };
  // Without a difference the variance of 4 becomes 4 * 4 / (4 + 15).
  const double least = std::sqrt(16.0 / 19);
  EXPECT_GT(ask(cliff).std, 2 * ask(flat).std);
  const Known far =
      At(1000, LocalEvidence(codes, kCodesOfOne, flat, std::vector<double>(16, 1e-4), kUnit));
  EXPECT_GT(far.std, least);
  EXPECT_LT(far.std, 1.5 * least);
}

TEST(LocalEvidence, FollowsAStraightLine) {
  std::vector<float> codes;
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) {
    codes.push_back(static_cast<float>(i) / 10);
    values.push_back(3 - 0.2 * i);
  }
  const LocalEvidence evidence(codes, kCodesOfOne, values, std::vector<double>(100, 0), kUnit);
  for (const float code : {0.55f, 3.14f, 7.77f}) {
    EXPECT_NEAR(At(code, evidence).value, 3 - 2 * code, 1e-3);
  }
  // Farther away it knows less.
  EXPECT_LT(At(5, evidence).std, At(10.5f, evidence).std);
  EXPECT_LT(At(10.5f, evidence).std, At(12, evidence).std);
  EXPECT_GT(At(1000, evidence).std, 1);
}

// Without the first code, the second stands alone.
TEST(LocalEvidence, ACodeCanBeLeftOut) {
  const LocalEvidence evidence(std::vector<float>{-1, 1}, kCodesOfOne, {3, 5}, {1, 2}, kUnit);
  const Known known = At(-1, evidence, 0);
  EXPECT_NEAR(known.value, 5, kRounding);
  EXPECT_NEAR(known.noise, std::sqrt(2), kRounding);
  // Nothing is left of one code.
  const LocalEvidence alone(std::vector<float>{1}, kCodesOfOne, {2}, {1}, kUnit);
  EXPECT_EQ(At(1, alone, 0).std, 0);
}

TEST(LocalEvidence, OnlyTheNearestSixteenCount) {
  std::vector<float> codes;
  std::vector<double> values;
  for (int i = 1; i <= 16; ++i) {
    codes.push_back(static_cast<float>(i % 2 == 0 ? i : -i));
    values.push_back(1 + i % 3);
  }
  // The far code changes the spread, and so the length, but not which codes count.
  codes.push_back(17);
  values.push_back(1);
  const std::vector<double> noise(17, 1.0);
  const double near = At(0, LocalEvidence(codes, kCodesOfOne, values, noise, kUnit)).value;
  values.back() = 1000;
  EXPECT_NEAR(At(0, LocalEvidence(codes, kCodesOfOne, values, noise, kUnit)).value, near,
              kRounding);
  codes.back() = 15.5f;
  EXPECT_GT(At(0, LocalEvidence(codes, kCodesOfOne, values, noise, kUnit)).value, near + 10);
}

// The same numbers in another unit give the same forecast in that unit.
TEST(LocalEvidence, EachObjectiveHasItsOwnUnit) {
  const std::vector<double> stds = {1, 100};
  const LocalEvidence evidence(std::vector<float>{-1, 1}, kCodesOfOne, {3, 300, 5, 500},
                               {1, 10000, 2, 20000}, stds);
  std::vector<double> values(2), deviations(2);
  const std::vector<double> point = {0.3};
  LocalEvidence::Patch patch(evidence);
  evidence.Settle(point, patch);
  evidence.Forecast(point, patch, values, deviations);
  EXPECT_NEAR(values[1], 100 * values[0], 100 * kRounding);
  EXPECT_NEAR(deviations[1], 100 * deviations[0], 100 * kRounding);
}

TEST(LocalEvidence, TheOrderOfTheTableDoesNotMatter) {
  RandomTable table(1);
  const auto ask = [&](const std::vector<float>& code) {
    const LocalEvidence evidence = table.Evidence();
    LocalEvidence::Patch patch(evidence);
    std::vector<double> values(2), deviations(2);
    evidence.Settle(table.Place(code), patch);
    evidence.Forecast(table.Place(code), patch, values, deviations);
    return values;
  };
  std::vector<float> asked(table.codes.begin() + 4, table.codes.begin() + 8);
  const std::vector<double> values = ask(asked);
  // Reversing the table also reverses the elements of its codes and the objectives.
  for (auto* numbers : {&table.values, &table.noise, &table.stds}) {
    std::reverse(numbers->begin(), numbers->end());
  }
  std::reverse(table.codes.begin(), table.codes.end());
  std::reverse(asked.begin(), asked.end());
  const std::vector<double> turned = ask(asked);
  EXPECT_GT(std::abs(values[0]), 0.01);
  EXPECT_NEAR(turned[1], values[0], kRounding);
  EXPECT_NEAR(turned[0], values[1], kRounding);
}

TEST(LocalEvidence, TheGradientIsThatOfTheForecast) {
  const RandomTable table(2);
  const LocalEvidence evidence = table.Evidence();
  LocalEvidence::Patch patch(evidence);
  std::vector<double> point = {0.1, -0.2, 0.3, 0.05}, values(2), deviations(2), gradient(4);
  evidence.Settle(point, patch);
  for (const std::vector<double>& cotangents : {std::vector<double>{1, 0}, {0, 1}, {2, -3}}) {
    evidence.Forecast(point, patch, values, deviations);
    evidence.Pullback(patch, cotangents, gradient);
    for (std::size_t d = 0; d < point.size(); ++d) {
      constexpr double kStep = 1e-5;
      double slope = 0;
      for (const double sign : {1.0, -1.0}) {
        std::vector<double> moved = point;
        moved[d] += sign * kStep;
        evidence.Forecast(moved, patch, values, deviations);
        slope += sign * (cotangents[0] * values[0] + cotangents[1] * values[1]) / (2 * kStep);
      }
      EXPECT_NEAR(gradient[d], slope, 1e-6 + 1e-5 * std::abs(slope)) << "element " << d;
    }
  }
}

// A patch that follows a path ends where one that looks everywhere does: at the same codes.
TEST(LocalEvidence, APatchFollowsAPath) {
  std::vector<float> codes;
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) {
    codes.push_back(static_cast<float>(i) / 10);
    values.push_back(std::sin(0.5 * i));
  }
  const LocalEvidence evidence(codes, kCodesOfOne, values, std::vector<double>(300, 0.01), kUnit);
  LocalEvidence::Patch patch(evidence);
  EXPECT_FALSE(patch.is_settled());
  evidence.Settle(std::vector<double>{0}, patch);
  for (const double place : {0.0, 3.0, 20.0, 19.0}) {
    const std::vector<double> point = {place};
    evidence.Follow(point, patch);
    EXPECT_EQ(LocalEvidence::FindNearest(point, patch).index, std::lround(10 * place));
    EXPECT_NEAR(LocalEvidence::FindNearest(point, patch).distance, 0, kRounding);
    Known known;
    evidence.Forecast(point, patch, std::span(&known.value, 1), std::span(&known.std, 1));
    EXPECT_NEAR(known.value, At(place, evidence).value, kRounding);
    EXPECT_NEAR(known.std, At(place, evidence).std, kRounding);
  }
}

// Neither equal codes nor a point without a number make it go round in circles.
TEST(LocalEvidence, APatchEndsItsWay) {
  const LocalEvidence evidence(std::vector<float>{0, 1, 1, 1, 2}, kCodesOfOne, {0, 1, 1, 1, 2},
                               std::vector<double>(5, 0.01), kUnit);
  LocalEvidence::Patch patch(evidence);
  evidence.Settle(std::vector<double>{0}, patch);
  for (const double place : {1.0, std::numeric_limits<double>::quiet_NaN(), 2.0}) {
    evidence.Follow(std::span(&place, 1), patch);
  }
  EXPECT_EQ(LocalEvidence::FindNearest(std::vector<double>{2}, patch).index, 4);
}

TEST(LocalEvidence, APatchMayLeaveObjectivesOut) {
  const RandomTable table(3);
  const LocalEvidence evidence = table.Evidence();
  const std::vector<int> second = {1};
  LocalEvidence::Patch all(evidence), some(evidence, second);
  const std::vector<double> point = {0.1, -0.2, 0.3, 0.05};
  std::vector<double> expected(2), values = {7, 7}, deviations(2);
  evidence.Settle(point, all);
  evidence.Settle(point, some);
  evidence.Forecast(point, all, expected, deviations);
  evidence.Forecast(point, some, values, deviations);
  EXPECT_THAT(values, testing::ElementsAre(7, expected[1]));
}

TEST(LocalEvidence, AllocatesNothing) {
  const RandomTable table(4);
  const LocalEvidence evidence = table.Evidence();
  LocalEvidence::Patch patch(evidence);
  std::vector<double> point = {0.1, -0.2, 0.3, 0.05}, values(2), deviations(2), gradient(4);
  const test::AllocationCount allocations;
  evidence.Settle(point, patch);
  point[0] = 0.9;
  evidence.Follow(point, patch);
  evidence.Forecast(point, patch, values, deviations);
  evidence.Pullback(patch, deviations, gradient);
  EXPECT_EQ(allocations.since_construction(), 0u);
  EXPECT_GT(deviations[0], 0);
}

}  // namespace
}  // namespace rhumb::steer
