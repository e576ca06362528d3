// A robot as a page draws it: its shapes, sent once, and the poses of its bodies, sent per frame.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "rhumb/sim/environment.h"

namespace rhumb::serve {

// {"bodies": [names], "masses": […], "geoms": [{"type", "body", "position", "quaternion", "size",
// "colour", "mesh" or "field"}], "meshes": [{"vertices", "faces"}], "fields": […], "camera",
// "extent"}. Lengths are in metres, quaternions w first; arrays of meshes are base64 of
// little-endian float32 and uint32. Shapes of the groups 3 to 5, which MuJoCo's viewers hide, are
// left out.
nlohmann::json DescribeScene(const sim::Environment& environment);

// What a frame says besides poses.
struct FrameHead {
  std::uint32_t step = 0, episode = 0;
  std::uint32_t ended = 0;  // bit i: lane i's episode has ended
  float time_s = 0;         // of the last pose, since the episode began
  float interval_s = 0;     // between poses
  std::uint32_t lanes = 0, poses = 0, bodies = 0, values = 0;
};

// Little endian: "RHB1", then the members of FrameHead in order, each 4 bytes; then for each lane
// poses [poses, bodies, 7] (position, quaternion w first) and values [values], float32.
std::string EncodeFrame(const FrameHead& head, std::span<const float> lanes);

}  // namespace rhumb::serve
