#include "rhumb/serve/scene.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "rhumb/serve/base64.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::serve {
namespace {

TEST(Scene, HasTheShapesOfTheRobot) {
  const sim::Environment environment(sim::FindBundle("mo-halfcheetah-v5", ""));
  const nlohmann::json scene = DescribeScene(environment);
  EXPECT_EQ(scene["bodies"].size(), 8u);
  EXPECT_EQ(scene["bodies"][1], "torso");
  EXPECT_EQ(scene["geoms"][0]["type"], "plane");
  EXPECT_EQ(scene["geoms"][1]["type"], "capsule");
  EXPECT_EQ(scene["geoms"][1]["body"], 1);
  EXPECT_EQ(scene["camera"]["body"], 1);
  EXPECT_GT(scene["masses"][1], 1.0);
  EXPECT_TRUE(scene["meshes"].empty());
}

// "Man" is the example of the standard.
TEST(Base64, ByHand) {
  const std::string text = "Man";
  EXPECT_EQ(ToBase64(std::span(text)), "TWFu");
  EXPECT_EQ(ToBase64(std::span(text).first(1)), "TQ==");
  EXPECT_EQ(ToBase64(std::span(text).first(0)), "");
}

TEST(Scene, FramesAreLittleEndian) {
  FrameHead head{
      .step = 3, .episode = 1, .time_s = 0.5F, .lanes = 1, .poses = 1, .bodies = 1, .values = 4};
  std::vector<float> numbers(11);
  numbers[10] = 2;
  const std::string bytes = EncodeFrame(head, numbers);
  ASSERT_EQ(bytes.size(), 4u + 36 + 44);
  EXPECT_EQ(bytes.substr(0, 4), "RHB1");
  EXPECT_EQ(bytes.substr(4, 4), std::string("\3\0\0\0", 4));
  EXPECT_EQ(bytes.substr(bytes.size() - 4), std::string("\0\0\0\x40", 4));
}

}  // namespace
}  // namespace rhumb::serve
