// How much the episodes of one code differ from each other, and when that is little.
#pragma once

#include <span>

#include "rhumb/net/model.h"

namespace rhumb::net {

// A code is steady if its episodes deviate by less than this share of the labels' range, in every
// shaping objective.
constexpr double kSteadySpread = 0.015;

// Standard deviations [K] between episodes -> the largest over the shaping objectives, as a share
// of the labels' range. +inf for NaN, and for a deviation where the labels do not vary.
double LargestSpread(std::span<const double> deviations, const ModelDescription& model);
double LargestSpread(std::span<const float> deviations, const ModelDescription& model);

inline bool IsSteady(std::span<const double> deviations, const ModelDescription& model) {
  return LargestSpread(deviations, model) < kSteadySpread;
}

}  // namespace rhumb::net
