// The inverse of the normal distribution.
#pragma once

namespace rhumb::core {

// The value that a standard normal variable is below with probability `level`, in (0, 1).
double NormalQuantile(double level);

}  // namespace rhumb::core
