#include "rhumb/net/gaussian_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rhumb/core/math/random.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::net {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// mean = 2 z0 - z1 + 0.5 with z = clip((x - 1) * 0.5, -10, 10).
GaussianPolicy HandPolicy() {
  GaussianPolicy policy;
  policy.normaliser.mean = {1, 1};
  policy.normaliser.inverse_scale = {0.5f, 0.5f};
  policy.mean = Mlp({2, 1}, Activation::kRelu);
  policy.mean.SetLayer(0, std::vector<float>{2, -1}, std::vector<float>{0.5f});
  policy.deviation = {0.25f};
  return policy;
}

GaussianPolicy RandomPolicy() {
  core::Stream noise(1, core::Purpose::kInitialWeights);
  const auto draw = [&](std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(noise.Normal());
    return values;
  };
  GaussianPolicy policy;
  policy.normaliser = {draw(11), std::vector<float>(11, 0.7f), 5};
  policy.mean = Mlp({11, 20, 3}, Activation::kElu);
  policy.mean.SetLayer(0, draw(220), draw(20));
  policy.mean.SetLayer(1, draw(60), draw(3));
  policy.deviation = {0.1f, 0.2f, 0.3f};
  return policy;
}

class GaussianPolicyTest : public ::testing::Test {
 protected:
  SafetensorsFile Written(const SafetensorsWriter& out) const {
    return SafetensorsFile(folder_.Write("p.safetensors", out.Bytes()));
  }
  // The Error of reading a valid policy after `damage`.
  template <class Damage>
  std::string ComplaintAfter(Damage damage) const {
    SafetensorsWriter out;
    HandPolicy().Write(out, "", false);
    damage(out);
    return test::ErrorOf([&] { GaussianPolicy::Read(Written(out), ""); });
  }
  test::ScratchFolder folder_;
};

// x = (3, 2): z = (1, 0.5), mean = 2 - 0.5 + 0.5 = 2. x = (99, 1): z = (10, 0) after the clip, mean
// 20.5.
TEST_F(GaussianPolicyTest, ActsByHand) {
  const GaussianPolicy policy = HandPolicy();
  PolicyActor actor(policy, 2);
  const double observations[4] = {3, 2, 99, 1};
  float means[2];
  actor.Means(observations, 2, means);
  EXPECT_THAT(means, ElementsAre(2, 20.5f));
}

TEST_F(GaussianPolicyTest, RoundTripIsExactInFloat) {
  const GaussianPolicy policy = RandomPolicy();
  SafetensorsWriter out;
  policy.Write(out, "iteration_00005.", false);
  const GaussianPolicy back = GaussianPolicy::Read(Written(out), "iteration_00005.");
  EXPECT_EQ(back.mean.sizes(), policy.mean.sizes());
  EXPECT_EQ(back.mean.activation(), Activation::kElu);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.mean.layer(i).weights, policy.mean.layer(i).weights);
    EXPECT_EQ(back.mean.layer(i).bias, policy.mean.layer(i).bias);
  }
  EXPECT_EQ(back.normaliser.mean, policy.normaliser.mean);
  EXPECT_EQ(back.normaliser.inverse_scale, policy.normaliser.inverse_scale);
  EXPECT_EQ(back.normaliser.limit, 5);
  EXPECT_EQ(back.deviation, policy.deviation);
}

// Half precision rounds the weights to 11 bits (a relative error of at most 2^-11) and nothing
// else. Rounding again changes nothing.
TEST_F(GaussianPolicyTest, RoundTripInHalfPrecision) {
  const GaussianPolicy policy = RandomPolicy();
  SafetensorsWriter once, twice;
  policy.Write(once, "", true);
  const GaussianPolicy back = GaussianPolicy::Read(Written(once), "");
  for (std::size_t i = 0; i < policy.mean.layer(0).weights.size(); ++i) {
    const float weight = policy.mean.layer(0).weights[i];
    EXPECT_NEAR(back.mean.layer(0).weights[i], weight, std::abs(weight) / 2048);
  }
  EXPECT_EQ(back.mean.layer(0).bias, policy.mean.layer(0).bias);
  EXPECT_EQ(back.normaliser.mean, policy.normaliser.mean);
  back.Write(twice, "", true);
  EXPECT_EQ(once.Bytes(), twice.Bytes());
}

TEST_F(GaussianPolicyTest, DamagedPoliciesAreErrorsThatNameTheFile) {
  EXPECT_EQ(ComplaintAfter([](SafetensorsWriter&) {}), "");
  const auto replaced = [&](const std::string& name, const SafetensorsWriter::Shape& shape,
                            const std::vector<float>& values) {
    return ComplaintAfter([&](SafetensorsWriter& out) { out.Add(name, shape, values); });
  };
  const auto names = [](const std::string& what) {
    return AllOf(HasSubstr("p.safetensors"), HasSubstr(what));
  };
  EXPECT_THAT(replaced("deviation", {2}, {1, 1}), names("deviation"));
  EXPECT_THAT(replaced("deviation", {1}, {0}), names("deviation"));
  EXPECT_THAT(replaced("normaliser.mean", {1}, {1}), names("normaliser.mean"));
  EXPECT_THAT(replaced("normaliser.limit", {1}, {-1}), names("normaliser.limit"));
  EXPECT_THAT(replaced("mean.0.bias", {2}, {1, 1}), names("mean.0.bias"));
  EXPECT_THAT(replaced("mean.0.weight", {2}, {1, 1}), names("mean.0.weight"));
  EXPECT_THAT(replaced("mean.0.weight", {0, 1}, {}), names("mean.0.weight"));
  EXPECT_THAT(replaced("mean.1.weight", {2, 1}, {1, 1}), names("mean.1.weight"));
  EXPECT_THAT(replaced("mean.0.weight", {2, 1}, {1, std::numeric_limits<float>::quiet_NaN()}),
              names("not a finite number"));
  EXPECT_THAT(
      ComplaintAfter([](SafetensorsWriter& out) { out.SetMetadata("activation", "softmax"); }),
      names("softmax"));
  SafetensorsWriter empty;
  empty.SetMetadata("activation", "relu");
  EXPECT_THAT(test::ErrorOf([&] { GaussianPolicy::Read(Written(empty), ""); }),
              names("mean.0.weight"));
}

TEST_F(GaussianPolicyTest, MeansAllocateNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer counts the allocations";
  const GaussianPolicy policy = RandomPolicy();
  PolicyActor actor(policy, 7);
  const std::vector<double> observations(7 * 11, 0.5);
  std::vector<float> means(7 * 3);
  const test::AllocationCount allocations;
  actor.Means(observations.data(), 7, means.data());
  EXPECT_EQ(allocations.since_construction(), 0u);
}

}  // namespace
}  // namespace rhumb::net
