#include "rhumb/net/value_heads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::net {
namespace {

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

class ValueHeadsFile : public ::testing::Test {
 protected:
  SafetensorsFile Written(const SafetensorsWriter& out) const {
    return SafetensorsFile(folder_.Write("v.safetensors", out.Bytes()));
  }
  test::ScratchFolder folder_;
};

TEST_F(ValueHeadsFile, RoundTripIsExact) {
  SampleWeights weights(9);
  const Projections projections{3, 6, 2, weights.Draw(36), weights.Draw(6)};
  const LinearHeads linear{3, 6, weights.Draw(18), weights.Draw(3)};
  SafetensorsWriter out, again;
  projections.Write(out, "p.");
  linear.Write(out, "l.");
  const SafetensorsFile file = Written(out);
  const Projections projections_back = Projections::Read(file, "p.");
  const LinearHeads linear_back = LinearHeads::Read(file, "l.");
  EXPECT_EQ(projections_back.labels, 3);
  EXPECT_EQ(projections_back.code_size, 6);
  EXPECT_EQ(projections_back.size, 2);
  EXPECT_EQ(linear_back.objectives, 3);
  EXPECT_EQ(linear_back.code_size, 6);
  projections_back.Write(again, "p.");
  linear_back.Write(again, "l.");
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

}  // namespace
}  // namespace rhumb::net
