// The inverse of the standard normal distribution function.
#pragma once

namespace rhumb::core {

// A standard normal variable is below the returned value with probability `level`, in (0, 1).
double NormalQuantile(double level);

}  // namespace rhumb::core
