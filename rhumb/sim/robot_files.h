// The files of a robot, in memory.
//
// folder -> CollectFiles (behind a fence) -> RobotFiles -> CompileModel (model.h; memory alone)
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "rhumb/core/files/environment_bundle.h"

namespace rhumb::sim {

// Path relative to the robot's folder ("meshes/leg.obj", no "..") -> bytes.
using RobotFiles = core::FileMap;

inline constexpr std::uint64_t kMaxRobotFileBytes = 64 << 20;
inline constexpr std::uint64_t kMaxRobotBytes = 256 << 20;  // all files together

// `path` in the form that RobotFiles uses: '/' between its parts, and no "." or "..". The result is
// empty for a path that is absolute or leads out of the folder.
std::string NormalRobotPath(std::string_view path);

// Reads the MJCF `name` of `folder` and every file that MuJoCo opens to compile it: includes,
// meshes, textures, height fields, skins, nested models. Error where one of them lies outside the
// folder, through a symbolic link too, or is too large, or where the MJCF does not compile. `place`
// says who asked, for messages.
RobotFiles CollectFiles(const std::filesystem::path& folder, std::string_view name,
                        std::string_view place);

}  // namespace rhumb::sim
