#include "rhumb/net/value_heads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::net {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// U_0 = [1 2; 0 1], U_1 = [3 0; 0 0], b = (1, 0), (0, -1); h = (2, 5).
TEST(Projections, ByHand) {
  const Projections projections{2, 2, 2, {1, 2, 0, 1, 3, 0, 0, 0}, {1, 0, 0, -1}};
  const float code[] = {2, 5};
  float z[4];
  projections.Apply(code, z);
  EXPECT_THAT(z, ElementsAre(13, 5, 6, -1));
}

TEST(LinearHeads, ByHand) {
  const LinearHeads heads{2, 3, {1, 0, 2, 0, -1, 0}, {0.5f, 3}};
  const float codes[] = {1, 2, 3, 0, 0, 0};
  float values[4];
  heads.Predict(codes, 2, values);
  EXPECT_THAT(values, ElementsAre(7.5f, 1, 0.5f, 3));
}

// Members y = 2 z and y = 4 z of z = (h - 1) / 2.
HeadEnsemble SmallEnsemble() {
  HeadEnsemble heads;
  heads.code_mean = {1};
  heads.code_inverse_scale = {0.5f};
  for (const float slope : {2.0f, 4.0f}) {
    heads.members.emplace_back(std::vector<int>{1, 1}, Activation::kElu);
    heads.members.back().SetLayer(0, std::span(&slope, 1), std::vector<float>{0});
  }
  heads.residuals = {{-4, -3, -2, -1, 0, 1, 2, 3, 4}};
  heads.noise = {0.5f};
  heads.episodes = 4;
  return heads;
}

// Nine residuals -4 … 4. The rank is floor(10 level) below 0.5, else ceil(10 level), within 1 and
// 9.
TEST(HeadEnsemble, ResidualQuantileByHand) {
  const HeadEnsemble heads = SmallEnsemble();
  EXPECT_EQ(heads.ResidualQuantile(0, 0), -4);
  EXPECT_EQ(heads.ResidualQuantile(0, 0.1), -4);
  EXPECT_EQ(heads.ResidualQuantile(0, 0.19), -4);
  EXPECT_EQ(heads.ResidualQuantile(0, 0.2), -3);
  EXPECT_EQ(heads.ResidualQuantile(0, 0.5), 0);
  EXPECT_EQ(heads.ResidualQuantile(0, 0.8), 3);
  EXPECT_EQ(heads.ResidualQuantile(0, 0.81), 4);
  EXPECT_EQ(heads.ResidualQuantile(0, 0.9), 4);
  EXPECT_EQ(heads.ResidualQuantile(0, 0.99), 4);
  EXPECT_EQ(heads.ResidualQuantile(0, 1), 4);
}

// 0.07 * 100 is slightly more than 7 in floating point; the rank must still be 7.
TEST(HeadEnsemble, ResidualQuantileSurvivesRounding) {
  HeadEnsemble heads = SmallEnsemble();
  heads.residuals[0].clear();
  for (int i = 1; i <= 99; ++i) heads.residuals[0].push_back(static_cast<float>(i));
  for (int percent = 1; percent <= 99; ++percent) {
    EXPECT_EQ(heads.ResidualQuantile(0, percent / 100.0), static_cast<float>(percent));
  }
  heads.residuals[0] = {6};
  EXPECT_EQ(heads.ResidualQuantile(0, 0.95), 6);
}

class ValueHeadsFile : public ::testing::Test {
 protected:
  SafetensorsFile Written(const SafetensorsWriter& out) const {
    return SafetensorsFile(folder_.Write("v.safetensors", out.Bytes()));
  }
  // The Error of reading a valid ensemble after `damage`.
  template <class Damage>
  std::string ComplaintAfter(Damage damage) const {
    SafetensorsWriter out;
    SmallEnsemble().Write(out, "g.");
    damage(out);
    return test::ErrorOf([&] { HeadEnsemble::Read(Written(out), "g."); });
  }
  test::ScratchFolder folder_;
};

TEST_F(ValueHeadsFile, RoundTripIsExact) {
  SampleWeights weights(9);
  const Projections projections{3, 6, 2, weights.Draw(36), weights.Draw(6)};
  const LinearHeads linear{3, 6, weights.Draw(18), weights.Draw(3)};
  const HeadEnsemble heads = SampleEnsemble(6, 3, weights);
  SafetensorsWriter out, again;
  projections.Write(out, "p.");
  linear.Write(out, "l.");
  heads.Write(out, "g.");
  const SafetensorsFile file = Written(out);
  const Projections projections_back = Projections::Read(file, "p.");
  const LinearHeads linear_back = LinearHeads::Read(file, "l.");
  const HeadEnsemble back = HeadEnsemble::Read(file, "g.");
  EXPECT_EQ(projections_back.labels, 3);
  EXPECT_EQ(projections_back.code_size, 6);
  EXPECT_EQ(projections_back.size, 2);
  EXPECT_EQ(linear_back.objectives, 3);
  EXPECT_EQ(linear_back.code_size, 6);
  EXPECT_EQ(back.residuals, heads.residuals);
  EXPECT_EQ(back.noise, heads.noise);
  EXPECT_EQ(back.episodes, 2);
  EXPECT_EQ(back.members[2].activation(), Activation::kElu);
  projections_back.Write(again, "p.");
  linear_back.Write(again, "l.");
  back.Write(again, "g.");
  EXPECT_EQ(out.Bytes(), again.Bytes());
}

TEST_F(ValueHeadsFile, DamagedHeadsAreErrorsThatNameTheArray) {
  SafetensorsWriter out;
  out.Add("p.weight", {2, 2}, std::vector<float>(4));
  out.Add("l.weight", {2, 2}, std::vector<float>(4));
  out.Add("l.bias", {3}, std::vector<float>(3));
  out.Add("e.weight", {0, 2}, std::vector<float>());
  EXPECT_THAT(test::ErrorOf([&] { Projections::Read(Written(out), "p."); }), HasSubstr("p.weight"));
  EXPECT_THAT(test::ErrorOf([&] { LinearHeads::Read(Written(out), "l."); }), HasSubstr("l.bias"));
  EXPECT_THAT(test::ErrorOf([&] { LinearHeads::Read(Written(out), "e."); }), HasSubstr("e.weight"));
}

TEST_F(ValueHeadsFile, DamagedEnsemblesAreErrorsThatNameTheArray) {
  EXPECT_EQ(ComplaintAfter([](SafetensorsWriter&) {}), "");
  const auto replaced = [&](const std::string& name, const SafetensorsWriter::Shape& shape,
                            const std::vector<float>& values) {
    return ComplaintAfter([&](SafetensorsWriter& out) { out.Add("g." + name, shape, values); });
  };
  const auto names = [](const std::string& what) {
    return AllOf(HasSubstr("v.safetensors"), HasSubstr(what));
  };
  EXPECT_THAT(replaced("code_mean", {2}, {1, 1}), names("code_inverse_scale"));
  EXPECT_THAT(replaced("code_mean", {1, 1}, {1}), names("code_mean"));
  EXPECT_THAT(replaced("code_inverse_scale", {1}, {0}), names("code_inverse_scale"));
  EXPECT_THAT(replaced("members.1.0.weight", {2, 1}, {1, 1}), names("members.1.0.weight"));
  EXPECT_THAT(replaced("members.1.1.weight", {1, 1}, {1}), names("members.1.1.bias"));
  EXPECT_THAT(replaced("residuals", {1, 2}, {1, 0}), names("is not in ascending order"));
  EXPECT_THAT(replaced("residuals", {2, 1}, {0, 0}), names("residuals"));
  EXPECT_THAT(replaced("residuals", {1, 0}, {}), names("residuals"));
  EXPECT_THAT(replaced("noise", {1}, {-1}), names("noise"));
  EXPECT_THAT(replaced("noise", {2}, {1, 1}), names("noise"));
  EXPECT_THAT(replaced("episodes", {1}, {1}), names("episodes"));
  EXPECT_THAT(ComplaintAfter([](SafetensorsWriter& out) {
                out.Add("g.episodes", {1}, std::vector<std::int64_t>{0});
              }),
              names("episodes"));
  EXPECT_THAT(
      ComplaintAfter([](SafetensorsWriter& out) { out.SetMetadata("g.activation", "softmax"); }),
      names("softmax"));
  // A member with the same inputs and outputs but another hidden layer.
  EXPECT_THAT(ComplaintAfter([](SafetensorsWriter& out) {
                Mlp({1, 2, 1}, Activation::kElu).Write(out, "g.members.1");
              }),
              names("members.1"));
}

}  // namespace
}  // namespace rhumb::net
