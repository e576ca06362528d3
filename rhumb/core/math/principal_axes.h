// The directions along which points vary most: the eigenvectors of
//   S = sum_i (x_i - mean) (x_i - mean)^T
#pragma once

#include <span>
#include <vector>

namespace rhumb::core {

// Strongest axis first. Signs are arbitrary.
struct PrincipalAxes {
  std::vector<double> mean;     // [D]
  std::vector<double> scatter;  // [D], S's eigenvalues, none below zero
  std::vector<double> axes;     // [D, D], one axis a row
};

// points [N, D]
PrincipalAxes FindPrincipalAxes(std::span<const double> points, int size);
PrincipalAxes FindPrincipalAxes(std::span<const float> points, int size);

}  // namespace rhumb::core
