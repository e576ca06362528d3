// The device that trains networks. This header is free of torch because the command line uses it.
#pragma once

#include "rhumb/core/names.h"

namespace rhumb::learn::device {

enum class Device { kCpu, kCuda };
inline const core::Names<Device> kDeviceNames = {{Device::kCpu, "cpu"}, {Device::kCuda, "cuda"}};

}  // namespace rhumb::learn::device
