// Where networks learn. No torch here: the command line names it too.
#pragma once

#include "rhumb/core/names.h"

namespace rhumb::learn::device {

enum class Device { kCpu, kCuda };
inline const core::Names<Device> kDeviceNames = {{Device::kCpu, "cpu"}, {Device::kCuda, "cuda"}};

}  // namespace rhumb::learn::device
