// Compiles a robot while handing MuJoCo its files one by one.
//
// MuJoCo never opens a file itself: every name in an MJCF resolves below a resource scheme of our
// own, whose provider asks `find`.
#pragma once

#include <string>
#include <string_view>

#include "rhumb/core/function_ref.h"
#include "rhumb/sim/model.h"

namespace rhumb::sim {

// The bytes of the robot's file `path` (see RobotFiles), null where there is none, or an Error. The
// bytes must outlive the compilation. Never called by two threads at a time.
using FindRobotFile = core::FunctionRef<const std::string*(const std::string& path)>;

// Compiles the MJCF `name`. Error where a file is missing, lies outside the robot's folder or
// states a size beyond its limit, and where MuJoCo refuses the model. `place` says who asked, for
// messages.
ModelPointer CompileRobot(FindRobotFile find, std::string_view name, std::string_view place,
                          const CompileOptions& options = {});

}  // namespace rhumb::sim
