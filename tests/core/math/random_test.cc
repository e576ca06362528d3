#include "rhumb/core/math/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace rhumb::core {
namespace {

using Counter = std::array<std::uint32_t, 4>;

// Known answers of philox4x32-10 from Random123's kat_vectors.
TEST(Philox, AgreesWithKnownAnswers) {
  EXPECT_EQ(Philox({0, 0, 0, 0}, {0, 0}),
            (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Stream, WordsAreTheBlocksOfItsCounter) {
  Stream stream(0x0000000200000001, Purpose::kAction, 3, 4, 5);
  const std::array<std::uint32_t, 2> key{1, 2};
  const std::uint32_t purpose = static_cast<std::uint32_t>(Purpose::kAction) << 24;
  for (std::uint32_t block = 0; block < 3; ++block) {
    for (const std::uint32_t word : Philox({3, 4, 5, purpose | block}, key)) {
      EXPECT_EQ(stream.Bits32(), word);
    }
  }
}

TEST(Stream, FillsWithTheWordsThatItWouldGiveOneByOne) {
  Stream one_by_one(7, Purpose::kAction, 1, 2, 3), filled = one_by_one;
  for (const std::size_t count : {4u, 64u, 100u, 200u}) {
    std::vector<std::uint32_t> words(count);
    filled.FillBits(words);
    for (const std::uint32_t word : words) EXPECT_EQ(word, one_by_one.Bits32());
  }
  EXPECT_EQ(filled.Bits32(), one_by_one.Bits32());
}

TEST(Stream, EveryPartOfTheKeyMakesAnotherStream) {
  std::set<std::uint64_t> firsts;
  firsts.insert(Stream(1, Purpose::kReset, 0, 0, 0).Bits64());
  firsts.insert(Stream(2, Purpose::kReset, 0, 0, 0).Bits64());
  firsts.insert(Stream(1 + (std::uint64_t{1} << 32), Purpose::kReset, 0, 0, 0).Bits64());
  firsts.insert(Stream(1, Purpose::kAction, 0, 0, 0).Bits64());
  firsts.insert(Stream(1, Purpose::kReset, 1, 0, 0).Bits64());
  firsts.insert(Stream(1, Purpose::kReset, 0, 1, 0).Bits64());
  firsts.insert(Stream(1, Purpose::kReset, 0, 0, 1).Bits64());
  EXPECT_EQ(firsts.size(), 7u);
}

TEST(Stream, NeighbouringStreamsAreUncorrelated) {
  constexpr int kCount = 100000;
  Stream first(7, Purpose::kReset, 0);
  Stream second(7, Purpose::kReset, 1);
  double product = 0;
  for (int i = 0; i < kCount; ++i) product += first.Normal() * second.Normal();
  // The mean of products of independent normals has standard deviation 1 / sqrt(count): 4 sigma.
  EXPECT_LT(std::abs(product / kCount), 4 / std::sqrt(kCount));
}

TEST(Stream, UniformHasItsRangeMeanAndVariance) {
  constexpr int kCount = 200000;
  Stream stream(11, Purpose::kReset);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = stream.Uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x - 0.5;
    squares += (x - 0.5) * (x - 0.5);
  }
  // Standard deviations sqrt(1/12 / count) and sqrt(1/180 / count): 4 sigma.
  EXPECT_NEAR(sum / kCount, 0, 4 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(squares / kCount, 1.0 / 12, 4 * std::sqrt(1.0 / 180 / kCount));
}

TEST(Stream, UniformStaysBelowItsEndEvenWhereTheSumRoundsUp) {
  // No double lies between these two, so half of the sums round to the upper one.
  const double low = 1;
  const double high = std::nextafter(1.0, 2.0);
  Stream stream(1, Purpose::kReset);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(stream.Uniform(low, high), low);
}

TEST(Stream, NormalHasItsMeanVarianceAndTail) {
  constexpr int kCount = 200000;
  Stream stream(13, Purpose::kAction);
  double sum = 0;
  double squares = 0;
  int beyond_two = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = stream.Normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    beyond_two += std::abs(x) > 2;
  }
  // Standard deviations 1, sqrt(2) and sqrt(p (1 - p)), each over sqrt(count): 4 sigma.
  const double p = std::erfc(2 / std::sqrt(2.0));
  EXPECT_NEAR(sum / kCount, 0, 4 / std::sqrt(kCount));
  EXPECT_NEAR(squares / kCount, 1, 4 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(static_cast<double>(beyond_two) / kCount, p, 4 * std::sqrt(p * (1 - p) / kCount));
}

TEST(Stream, BelowOneIsZero) {
  Stream stream(1, Purpose::kMinibatch);
  EXPECT_EQ(stream.Below(1), 0u);
}

TEST(Stream, BelowFavoursNoThird) {
  // With bound 3 * 2^30, the high word without redrawing doubles the chance of a third of the
  // results. So does the remainder.
  constexpr int kCount = 30000;
  Stream stream(17, Purpose::kMinibatch);
  std::array<int, 3> by_third{};
  std::array<int, 3> by_remainder{};
  for (int i = 0; i < kCount; ++i) {
    const std::uint32_t x = stream.Below(3u << 30);
    ASSERT_LT(x, 3u << 30);
    ++by_third[x >> 30];
    ++by_remainder[x % 3];
  }
  const double sigma = std::sqrt(kCount * (1.0 / 3) * (2.0 / 3));
  for (int third = 0; third < 3; ++third) {
    EXPECT_NEAR(by_third[static_cast<std::size_t>(third)], kCount / 3.0, 4 * sigma);
    EXPECT_NEAR(by_remainder[static_cast<std::size_t>(third)], kCount / 3.0, 4 * sigma);
  }
}

TEST(StreamDeathTest, EndsWithItsBlocks) {
  Stream stream(1, Purpose::kReset);
  for (int i = 0; i < 1 << 26; ++i) stream.Bits32();
  EXPECT_DEATH(stream.Bits32(), "past its 2\\^24 blocks");
}

}  // namespace
}  // namespace rhumb::core
