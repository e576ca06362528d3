#include "rhumb/steer/map/data_manifold.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/principal_axes.h"

namespace rhumb::steer {
namespace {

constexpr int kSpacingSample = 512;
// Tolerance for comparing variance shares, for the rounding of eigenvalues.
constexpr double kShareRounding = 1e-12;

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

DataManifold::DataManifold(std::span<const float> codes, const CodeMetric& metric,
                           const ManifoldOptions& options)
    : metric_(metric),
      codes_(codes.begin(), codes.end()),
      table_(metric.Apply(codes), metric.size()),
      options_(options) {
  RHUMB_CHECK(!codes.empty(), "no code");
  RHUMB_CHECK(options.neighbours >= 1 && options.variance >= 0 && options.variance <= 1,
              "{} neighbours that hold {} of the variance", options.neighbours, options.variance);
  bases_ = std::vector<CachedBasis>(static_cast<std::size_t>(count()));
  spacing_ = MeasureSpacing();
}

std::span<const float> DataManifold::code(int index) const {
  const auto width = static_cast<std::size_t>(code_size());
  return std::span(codes_).subspan(static_cast<std::size_t>(index) * width, width);
}

NeighbourTable::Nearest DataManifold::FindNearest(std::span<const double> point) const {
  double coordinates[CodeMetric::kMaxCodeSize];
  const std::span place(coordinates, static_cast<std::size_t>(metric_.size()));
  metric_.Apply(point, place);
  return table_.FindNearest(place);
}

double DataManifold::DistanceToData(std::span<const double> point) const {
  return FindNearest(point).distance / spacing_;
}

std::vector<float> DataManifold::SquaredDistances(int index) const {
  std::vector<float> squares(table_.padded_count());
  table_.MeasureSquares(metric_.Apply(code(index)), squares);
  return squares;
}

double DataManifold::MeasureSpacing() const {
  const int sampled = std::min(count(), kSpacingSample);
  std::vector<float> nearest;
  for (int i = 0; i < sampled; ++i) {
    const auto index = static_cast<int>(std::int64_t{i} * count() / sampled);
    float least = std::numeric_limits<float>::infinity();
    for (const float square : SquaredDistances(index)) {
      least = square > 0 && square < least ? square : least;
    }
    if (std::isfinite(least)) nearest.push_back(least);
  }
  if (nearest.empty()) return 1;
  // The smallest distance that 95 % of them do not exceed.
  const auto rank = nearest.begin() + (std::ssize(nearest) * 95 + 99) / 100 - 1;
  std::nth_element(nearest.begin(), rank, nearest.end());
  return std::sqrt(double{*rank});
}

std::span<const double> DataManifold::Basis(int index) const {
  RHUMB_CHECK(index >= 0 && index < count(), "code {} of {}", index, count());
  CachedBasis& basis = bases_[static_cast<std::size_t>(index)];
  std::call_once(basis.once, [&] { basis.rows = ComputeBasis(index); });
  return basis.rows;
}

std::vector<double> DataManifold::ComputeBasis(int index) const {
  const std::vector<float> squares = SquaredDistances(index);
  std::vector<std::pair<float, int>> order;
  for (int i = 0; i < count(); ++i) order.emplace_back(squares[static_cast<std::size_t>(i)], i);
  const int neighbours = std::min(options_.neighbours, count());
  std::nth_element(order.begin(), order.begin() + (neighbours - 1), order.end());

  // Subtract the code itself, so equal codes have exactly zero variance.
  std::vector<double> near;
  for (const auto& [square, neighbour] :
       std::span(order).first(static_cast<std::size_t>(neighbours))) {
    const std::span<const float> own = code(index), other = code(neighbour);
    for (std::size_t i = 0; i < own.size(); ++i) near.push_back(double{other[i]} - own[i]);
  }
  const core::PrincipalAxes found = core::FindPrincipalAxes(near, code_size());
  const std::vector<double>& variances = found.scatter;
  if (variances[0] == 0) return {};
  const double sum = std::accumulate(variances.begin(), variances.end(), 0.0);
  const double wanted = options_.variance * sum * (1 - kShareRounding);
  std::ptrdiff_t components = 1;
  for (double held = variances[0]; held < wanted; ++components) {
    held += variances[static_cast<std::size_t>(components)];
  }
  return {found.axes.begin(), found.axes.begin() + components * code_size()};
}

void DataManifold::Project(int index, std::span<double> gradient) const {
  RHUMB_CHECK(std::ssize(gradient) == code_size(), "a gradient of {} numbers, codes have {}",
              gradient.size(), code_size());
  const std::span<const double> rows = Basis(index);
  const Eigen::Map<const RowMatrix> basis(rows.data(), std::ssize(rows) / code_size(), code_size());
  Eigen::Map<Eigen::VectorXd> g(gradient.data(), code_size());
  double memory[CodeMetric::kMaxCodeSize];
  Eigen::Map<Eigen::VectorXd> components(memory, basis.rows());
  components.noalias() = basis * g;
  g.noalias() = basis.transpose() * components;
}

}  // namespace rhumb::steer
