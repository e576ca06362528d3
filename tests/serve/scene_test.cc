#include "rhumb/serve/scene.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rhumb/serve/base64.h"
#include "rhumb/sim/catalogue.h"
#include "tests/support/scratch_folder.h"

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

std::vector<float> FloatsOf(const std::string& base64) {
  std::string bytes(base64.size() / 4 * 3, '\0');
  EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                  reinterpret_cast<const unsigned char*>(base64.data()),
                  static_cast<int>(base64.size()));
  std::vector<float> floats(bytes.size() / 4);
  std::memcpy(floats.data(), bytes.data(), 4 * floats.size());
  return floats;
}

// A robot of one's own with a mesh. MuJoCo moves meshes to their centre and turns them; with the
// shape's pose the corners must lie where the file has them.
TEST(Scene, HasTheMeshesOfARobotOfOnesOwn) {
  const test::ScratchFolder scratch;
  scratch.Write("wedge.obj",
                "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  scratch.Write("wedge.xml", R"(<mujoco><asset><mesh name="wedge" file="wedge.obj"/></asset>
      <worldbody><body name="hull"><joint name="slide" type="slide" axis="1 0 0"/>
        <geom type="mesh" mesh="wedge" rgba="1 0 0 1"/></body></worldbody>
      <actuator><motor joint="slide" ctrlrange="-1 1"/></actuator></mujoco>)");
  const std::filesystem::path spec = scratch.Write("wedge.toml", R"(id = "wedge"
title = "Wedge"
description = "A wedge that slides."
model = "wedge.xml"
frame_skip = 1
time_limit = 10
observation = [{ field = "qvel" }]
[[rewards.standard]]
name = "energy"
expression = "-sum_sq_action"
unit = "squared control summed over steps"
help = "minus the squared controls"
)");
  const sim::Environment environment(sim::FindBundle(spec.string(), ""));
  const nlohmann::json scene = DescribeScene(environment);
  ASSERT_EQ(scene["meshes"].size(), 1u);
  const nlohmann::json& shape = scene["geoms"][0];
  EXPECT_EQ(shape["type"], "mesh");
  EXPECT_EQ(shape["mesh"], 0);
  EXPECT_EQ(shape["body"], 1);
  // 4 faces of 3 corners of 4 bytes make 48 bytes, 64 letters.
  EXPECT_EQ(scene["meshes"][0]["faces"].get_ref<const std::string&>().size(), 64u);
  const std::vector<float> corners = FloatsOf(scene["meshes"][0]["vertices"]);
  ASSERT_EQ(corners.size(), 12u);
  const auto position = shape["position"].get<std::vector<mjtNum>>();
  const auto turn = shape["quaternion"].get<std::vector<mjtNum>>();
  const mjtNum wanted[] = {0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1};
  for (std::size_t i = 0; i < 12; i += 3) {
    const mjtNum corner[] = {corners[i], corners[i + 1], corners[i + 2]};
    mjtNum place[3];
    mju_rotVecQuat(place, corner, turn.data());
    // MuJoCo keeps corners in float32.
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(place[axis] + position[axis], wanted[i + axis], 1e-6);
    }
  }
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
