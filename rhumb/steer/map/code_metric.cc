#include "rhumb/steer/map/code_metric.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "rhumb/core/error.h"
#include "rhumb/core/math/principal_axes.h"

namespace rhumb::steer {
namespace {

constexpr double kLive = 0.01;  // of the strongest axis

}  // namespace

CodeMetric::CodeMetric(const net::Layer& code_layer) : code_size_(code_layer.inputs) {
  if (code_size_ > kMaxCodeSize) {
    Fail("a code of the model has {} numbers; steering takes at most {}", code_size_, kMaxCodeSize);
  }
  if (code_size_ == 0) return;
  // The columns of W and their opposites have mean 0, so their scatter is 2 W W^T.
  std::vector<double> columns;
  for (const double sign : {1.0, -1.0}) {
    for (int j = 0; j < code_layer.outputs; ++j) {
      for (int i = 0; i < code_size_; ++i) {
        const auto at = static_cast<std::size_t>(i * code_layer.padded_outputs() + j);
        columns.push_back(sign * code_layer.weights[at]);
      }
    }
  }
  core::PrincipalAxes found = core::FindPrincipalAxes(columns, code_size_);
  if (!(found.scatter[0] > 0)) {
    std::fill(found.scatter.begin(), found.scatter.end(), 2.0);
    std::fill(found.axes.begin(), found.axes.end(), 0.0);
    for (int i = 0; i < code_size_; ++i) {
      found.axes[static_cast<std::size_t>(i * code_size_ + i)] = 1;
    }
  }
  for (const double scatter : found.scatter) {
    if (scatter < kLive * kLive * found.scatter[0]) break;
    const auto first = found.axes.begin() + std::ptrdiff_t{size_} * code_size_;
    std::transform(first, first + code_size_, std::back_inserter(axes_),
                   [&](double number) { return std::sqrt(scatter / 2) * number; });
    ++size_;
  }
}

template <class Number>
double CodeMetric::Coordinate(int axis, std::span<const Number> code) const {
  const double* row = axes_.data() + std::ptrdiff_t{axis} * code_size_;
  double sum = 0;
  for (std::size_t i = 0; i < code.size(); ++i) sum += row[i] * code[i];
  return sum;
}

template <class Number>
void CodeMetric::ApplyTo(std::span<const Number> code, std::span<Number> coordinates) const {
  RHUMB_CHECK(std::ssize(code) == code_size_ && std::ssize(coordinates) == size_,
              "a code of {} numbers and {} coordinates, not {} and {}", code.size(),
              coordinates.size(), code_size_, size_);
  for (int axis = 0; axis < size_; ++axis) {
    coordinates[static_cast<std::size_t>(axis)] = static_cast<Number>(Coordinate(axis, code));
  }
}

void CodeMetric::Apply(std::span<const double> code, std::span<double> coordinates) const {
  ApplyTo(code, coordinates);
}

void CodeMetric::Apply(std::span<const float> code, std::span<float> coordinates) const {
  ApplyTo(code, coordinates);
}

std::vector<float> CodeMetric::Apply(std::span<const float> codes) const {
  const auto width = static_cast<std::size_t>(code_size_), length = static_cast<std::size_t>(size_);
  std::vector<float> coordinates(codes.size() / width * length);
  for (std::size_t i = 0; i < codes.size() / width; ++i) {
    ApplyTo(codes.subspan(i * width, width), std::span(coordinates).subspan(i * length, length));
  }
  return coordinates;
}

void CodeMetric::Pullback(std::span<const double> slope, std::span<double> gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t axis = 0; axis < slope.size(); ++axis) {
    const double* row = axes_.data() + axis * gradient.size();
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += slope[axis] * row[i];
  }
}

double CodeMetric::Length(std::span<const double> step) const {
  double squares = 0;
  for (int axis = 0; axis < size_; ++axis) {
    const double along = Coordinate(axis, step);
    squares += along * along;
  }
  return std::sqrt(squares);
}

}  // namespace rhumb::steer
