// Small files of robots.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace rhumb::sim {

// A spec whose model is probe.xml.
inline constexpr const char* kMinimal = R"(
id = "probe"
model = "probe.xml"
observation = [ { field = "qvel" } ]
quantities = [ { name = "x", element_of = "qpos" } ]
[[rewards.only]]
name = "far"
expression = "x"
)";

// `text` with the first `from` replaced.
inline std::string With(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// A tetrahedron.
inline constexpr const char* kMesh =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

inline constexpr const char* kPart =
    "<mujoco><worldbody><body name='part'><geom size='0.1'/></body></worldbody></mujoco>";

// A grey PNG of 2 x 2 pixels.
inline std::string Picture() {
  constexpr unsigned char kBytes[] = {
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
      0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0x57,
      0xdd, 0x52, 0xf8, 0x00, 0x00, 0x00, 0x0e, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x68,
      0x68, 0x60, 0x68, 0x68, 0x00, 0x00, 0x06, 0x06, 0x02, 0x01, 0x31, 0xa9, 0x1e, 0xa1, 0x00,
      0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  return {reinterpret_cast<const char*>(kBytes), sizeof kBytes};
}

// A robot that consists of the mesh "m", which `asset` defines.
inline std::string WithMesh(const std::string& asset) {
  return "<mujoco><asset>" + asset +
         "</asset><worldbody><body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>"
         "</mujoco>";
}

}  // namespace rhumb::sim
