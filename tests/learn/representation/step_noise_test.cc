#include "rhumb/learn/representation/step_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/learn/training_run.h"

namespace rhumb::learn::representation {
namespace {

constexpr NoiseShape kNoiseShape{.contexts = 6, .picks = 5, .code = 3, .masks = 100'001};

// Copies of a step's draws.
struct Drawn {
  Drawn(const NoiseShape& shape, double dropout, std::uint64_t seed, std::uint32_t stage,
        std::int64_t step) {
    StepNoise noise(shape, dropout, seed, stage, torch::kCPU);
    noise.Draw(step);
    picks = noise.picks().clone();
    normals = noise.normals().clone();
    if (noise.masks().defined()) masks = noise.masks().clone();
  }
  bool operator==(const Drawn& other) const {
    return torch::equal(picks, other.picks) && torch::equal(normals, other.normals) &&
           torch::equal(masks, other.masks);
  }

  torch::Tensor picks, normals, masks;
};

double Share(const torch::Tensor& condition) {
  return condition.to(torch::kFloat64).mean().item<double>();
}

// Half of the elements are dropped; the others are doubled.
TEST(StepNoise, DropoutOfOneHalfByHand) {
  const Drawn drawn({.masks = 4096}, 0.5, 1, 0, 0);
  EXPECT_TRUE(((drawn.masks == 0) | (drawn.masks == 2)).all().item<bool>());
  // 5 standard deviations of sqrt(0.25 / 4096).
  EXPECT_NEAR(Share(drawn.masks == 0), 0.5, 5 * 0.5 / 64);
}

TEST(StepNoise, ShapesAreAsAskedFor) {
  const Drawn drawn(kNoiseShape, 0.1, 1, 0, 0);
  EXPECT_EQ(drawn.picks.sizes(), (torch::IntArrayRef{6, 5}));
  EXPECT_EQ(drawn.normals.sizes(), (torch::IntArrayRef{6, 3}));
  EXPECT_EQ(drawn.masks.sizes(), (torch::IntArrayRef{100'001}));
  EXPECT_FALSE(Drawn(kNoiseShape, 0, 1, 0, 0).masks.defined()) << "nothing is dropped";
  EXPECT_FALSE(Drawn({.masks = 0}, 0.1, 1, 0, 0).masks.defined()) << "there is nothing to drop";
}

TEST(StepNoise, DependsOnSeedStageAndStepAlone) {
  const Drawn drawn(kNoiseShape, 0.1, 1, 2, 3);
  StepNoise used(kNoiseShape, 0.1, 1, 2, torch::kCPU);
  used.Draw(0);
  used.Reseed(7);
  used.Draw(3);
  EXPECT_TRUE(torch::equal(used.picks(), drawn.picks)) << "what was drawn before does not matter";
  EXPECT_TRUE(torch::equal(used.normals(), drawn.normals));
  EXPECT_TRUE(torch::equal(used.masks(), drawn.masks));

  for (const Drawn& other : {Drawn(kNoiseShape, 0.1, 2, 2, 3), Drawn(kNoiseShape, 0.1, 1, 1, 3),
                             Drawn(kNoiseShape, 0.1, 1, 2, 4)}) {
    EXPECT_FALSE((other.picks == drawn.picks).any().item<bool>());
    EXPECT_FALSE((other.normals == drawn.normals).any().item<bool>());
    // Independent masks agree in 0.9^2 + 0.1^2 of the elements, to 5 standard deviations.
    EXPECT_NEAR(Share(other.masks == drawn.masks), 0.82, 5 * std::sqrt(0.82 * 0.18 / 1e5));
  }
}

TEST(StepNoise, DoesNotDependOnThreads) {
  const auto drawn_by = [](int threads) {
    const ThreadCount count(threads);
    return Drawn(kNoiseShape, 0.1, 1, 0, 5);
  };
  for (const int threads : {2, 3, 7}) EXPECT_TRUE(drawn_by(threads) == drawn_by(1)) << threads;
}

// 16 bits decide, so p is exact to 2^-17, far within the 5 standard deviations.
TEST(StepNoise, TheRightShareIsDropped) {
  constexpr double kCount = 1'000'001;
  for (const double p : {0.1, 0.25, 0.9}) {
    const torch::Tensor masks =
        Drawn({.masks = static_cast<std::int64_t>(kCount)}, p, 1, 0, 0).masks;
    EXPECT_NEAR(Share(masks == 0), p, 5 * std::sqrt(p * (1 - p) / kCount)) << p;
    const auto kept = static_cast<float>(1 / (1 - p));
    EXPECT_TRUE(((masks == 0) | (masks == kept)).all().item<bool>()) << p;
  }
}

// Short masks are prefixes of longer ones. Odd counts, and counts on both sides of the 2^14 at
// which a new stream begins, fill exactly their elements.
TEST(StepNoise, AnyCountOfMaskElements) {
  const torch::Tensor longest = Drawn({.masks = 40'000}, 0.5, 1, 0, 0).masks;
  for (const std::int64_t count : {1, 2, 3, 16'383, 16'384, 16'385, 16'387, 32'769}) {
    const torch::Tensor masks = Drawn({.masks = count}, 0.5, 1, 0, 0).masks;
    EXPECT_TRUE(torch::equal(masks, longest.narrow(0, 0, count))) << count;
  }
  EXPECT_FALSE(torch::equal(longest.narrow(0, 0, 16'384), longest.narrow(0, 16'384, 16'384)));
  // The last element of an odd count is drawn like all others.
  int kept = 0;
  for (std::int64_t step = 0; step < 100; ++step) {
    kept += Drawn({.masks = 3}, 0.5, 1, 0, step).masks[2].item<float>() > 0 ? 1 : 0;
  }
  EXPECT_NEAR(kept, 50, 5 * 5);
}

// To 5 standard errors of 2^16 draws; one standard error is 2^-8 of a standard deviation.
TEST(StepNoise, PicksAreUniformAndNormalsNormal) {
  const Drawn drawn({.contexts = 256, .picks = 256, .code = 256}, 0, 1, 0, 0);
  EXPECT_GE(drawn.picks.min().item<float>(), 0);
  EXPECT_LT(drawn.picks.max().item<float>(), 1);
  const torch::Tensor picks = drawn.picks.to(torch::kFloat64);
  constexpr double kErrors = 5.0 / 256;
  EXPECT_NEAR(picks.mean().item<double>(), 0.5, kErrors * std::sqrt(1.0 / 12));
  EXPECT_NEAR(picks.square().mean().item<double>(), 1.0 / 3, kErrors * std::sqrt(4.0 / 45));

  // n, n^2, n^3 and n^4 have the means 0, 1, 0 and 3 and the variances 1, 2, 15 and 96.
  const torch::Tensor normals = drawn.normals.to(torch::kFloat64);
  EXPECT_NEAR(normals.mean().item<double>(), 0, kErrors);
  EXPECT_NEAR(normals.square().mean().item<double>(), 1, kErrors * std::sqrt(2.0));
  EXPECT_NEAR(normals.pow(3).mean().item<double>(), 0, kErrors * std::sqrt(15.0));
  EXPECT_NEAR(normals.pow(4).mean().item<double>(), 3, kErrors * std::sqrt(96.0));
}

}  // namespace
}  // namespace rhumb::learn::representation
