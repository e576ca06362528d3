// The measured rate of an error: r in error ~ size^r.
#pragma once

#include <span>

namespace rhumb::eval {

// The slope of log(error) over log(size), by least squares. NaN with fewer than two distinct sizes,
// or if an error is not a positive number.
double MeasureRate(std::span<const int> sizes, std::span<const double> errors);

}  // namespace rhumb::eval
