#include "rhumb/net/model.h"

#include <Eigen/Dense>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::net {

std::string_view NameOf(RolloutMode mode) { return kRolloutModeNames.NameOf(mode); }

RolloutMode ParseRolloutMode(std::string_view word) {
  for (const RolloutMode mode : kRolloutModeNames.values()) {
    if (NameOf(mode) == word) return mode;
  }
  Fail("unknown rollout mode '{}'{}", word, core::Suggestion(word, kRolloutModeNames.words()));
}

Model::Model()
    : provenance(std::make_shared<const nlohmann::json>(nlohmann::json::object())),
      metrics(provenance) {}

PrincipalMap MakePrincipalMap(std::span<const float> codes, int code_size) {
  const auto width = static_cast<std::size_t>(code_size);
  RHUMB_CHECK(code_size > 0 && !codes.empty() && codes.size() % width == 0,
              "{} numbers in codes of {}", codes.size(), code_size);
  using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Eigen::Index>(codes.size() / width);
  Eigen::MatrixXd centred =
      Eigen::Map<const FloatMatrix>(codes.data(), rows, code_size).cast<double>();
  const Eigen::RowVectorXd mean = centred.colwise().mean();
  centred.rowwise() -= mean;
  const Eigen::MatrixXd covariance = centred.transpose() * centred;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);

  PrincipalMap map;
  for (const double value : mean) map.mean.push_back(static_cast<float>(value));
  map.directions.assign(2 * width, 0.0f);
  for (int i = 0; i < std::min(2, code_size); ++i) {
    Eigen::VectorXd direction = solver.eigenvectors().col(code_size - 1 - i);  // eigenvalues ascend
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0) direction = -direction;
    for (int j = 0; j < code_size; ++j) {
      map.directions[static_cast<std::size_t>(i * code_size + j)] =
          static_cast<float>(direction[j]);
    }
  }
  return map;
}

}  // namespace rhumb::net
