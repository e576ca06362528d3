#include "rhumb/steer/data_manifold.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::steer {
namespace {

// Codes are measured in blocks that hold the first number of each code, then the second, and so on:
// a vector is one number of eight codes, and four sums under way hide the latency of additions.
// Vectors are the compiler's own, so there is no intrinsic.
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
constexpr int kLanes = 8, kVectors = 4, kBlock = kLanes * kVectors;

constexpr int kSpacingSample = 512;
// Shares are compared to the rounding of an eigenvalue.
constexpr double kShareRounding = 1e-12;

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// squares [kBlock]: sum_i (point_i - code_i)^2 of the codes of a block [H, kBlock].
template <class Number>
[[gnu::always_inline]] inline void MeasureBlock(const float* block, std::span<const Number> point,
                                                float* squares) {
  Lanes sums[kVectors] = {};
  for (const Number number : point) {
    const auto x = static_cast<float>(number);
    for (int v = 0; v < kVectors; ++v) {
      const Lanes difference = x - *reinterpret_cast<const Lanes*>(block + v * kLanes);
      sums[v] += difference * difference;
    }
    block += kBlock;
  }
  for (int v = 0; v < kVectors; ++v) *reinterpret_cast<Lanes*>(squares + v * kLanes) = sums[v];
}

}  // namespace

DataManifold::DataManifold(std::span<const float> codes, int code_size,
                           const ManifoldOptions& options)
    : code_size_(code_size), options_(options) {
  RHUMB_CHECK(
      code_size > 0 && !codes.empty() && codes.size() % static_cast<std::size_t>(code_size) == 0,
      "{} numbers in codes of {}", codes.size(), code_size);
  RHUMB_CHECK(options.neighbours >= 1 && options.variance >= 0 && options.variance <= 1,
              "{} neighbours that hold {} of the variance", options.neighbours, options.variance);
  if (code_size > kMaxCodeSize) {
    Fail("a code of the model has {} numbers; steering takes at most {}", code_size, kMaxCodeSize);
  }
  count_ = static_cast<int>(codes.size() / static_cast<std::size_t>(code_size));
  bases_ = std::vector<CachedBasis>(static_cast<std::size_t>(count_));
  // The last block is filled up with the last code, which never wins over itself.
  const int padded = (count_ + kBlock - 1) / kBlock * kBlock;
  blocks_.reserve(static_cast<std::size_t>(padded) * static_cast<std::size_t>(code_size_));
  for (int first = 0; first < padded; first += kBlock) {
    for (int i = 0; i < code_size_; ++i) {
      for (int lane = 0; lane < kBlock; ++lane) {
        const auto code = static_cast<std::size_t>(std::min(first + lane, count_ - 1));
        blocks_.push_back(
            codes[code * static_cast<std::size_t>(code_size_) + static_cast<std::size_t>(i)]);
      }
    }
  }
  spacing_ = MeasureSpacing();
}

float DataManifold::at(int index, int element) const {
  const auto block = static_cast<std::size_t>(index / kBlock);
  return blocks_[(block * static_cast<std::size_t>(code_size_) +
                  static_cast<std::size_t>(element)) *
                     kBlock +
                 static_cast<std::size_t>(index % kBlock)];
}

DataManifold::Nearest DataManifold::FindNearest(std::span<const double> point) const {
  RHUMB_CHECK(std::ssize(point) == code_size_, "a point of {} numbers, codes have {}", point.size(),
              code_size_);
  // The least of each lane and where it was; then the least of the lanes.
  float least[kBlock], squares[kBlock];
  int where[kBlock];
  std::fill_n(least, kBlock, std::numeric_limits<float>::infinity());
  std::iota(where, where + kBlock, 0);
  const float* block = blocks_.data();
  for (int first = 0; first < count_; first += kBlock, block += code_size_ * kBlock) {
    MeasureBlock(block, point, squares);
    for (int lane = 0; lane < kBlock; ++lane) {
      const bool nearer = squares[lane] < least[lane];
      least[lane] = nearer ? squares[lane] : least[lane];
      where[lane] = nearer ? first + lane : where[lane];
    }
  }
  std::pair<float, int> best = {least[0], where[0]};
  for (int lane = 1; lane < kBlock; ++lane) {
    best = std::min(best, std::pair(least[lane], where[lane]));
  }
  double square = 0;
  for (int i = 0; i < code_size_; ++i) {
    const double difference = point[static_cast<std::size_t>(i)] - at(best.second, i);
    square += difference * difference;
  }
  return {best.second, std::sqrt(square)};
}

double DataManifold::DistanceToData(std::span<const double> point) const {
  return FindNearest(point).distance / spacing_;
}

std::vector<float> DataManifold::SquaredDistances(int index) const {
  std::vector<float> code(static_cast<std::size_t>(code_size_));
  for (int i = 0; i < code_size_; ++i) code[static_cast<std::size_t>(i)] = at(index, i);
  std::vector<float> squares(blocks_.size() / code.size());
  const float* block = blocks_.data();
  for (std::size_t first = 0; first < squares.size(); first += kBlock) {
    MeasureBlock(block, std::span<const float>(code), squares.data() + first);
    block += code_size_ * kBlock;
  }
  return squares;
}

double DataManifold::MeasureSpacing() const {
  const int sampled = std::min(count_, kSpacingSample);
  std::vector<float> nearest;
  for (int i = 0; i < sampled; ++i) {
    const auto index = static_cast<int>(std::int64_t{i} * count_ / sampled);
    float least = std::numeric_limits<float>::infinity();
    for (const float square : SquaredDistances(index)) {
      least = square > 0 && square < least ? square : least;
    }
    if (std::isfinite(least)) nearest.push_back(least);
  }
  if (nearest.empty()) return 1;
  // The least distance that 95 % of them do not exceed.
  const auto rank = nearest.begin() + (std::ssize(nearest) * 95 + 99) / 100 - 1;
  std::nth_element(nearest.begin(), rank, nearest.end());
  return std::sqrt(double{*rank});
}

std::span<const double> DataManifold::Basis(int index) const {
  RHUMB_CHECK(index >= 0 && index < count_, "code {} of {}", index, count_);
  CachedBasis& basis = bases_[static_cast<std::size_t>(index)];
  std::call_once(basis.once, [&] { basis.rows = ComputeBasis(index); });
  return basis.rows;
}

std::vector<double> DataManifold::ComputeBasis(int index) const {
  const std::vector<float> squares = SquaredDistances(index);
  std::vector<std::pair<float, int>> order;
  for (int i = 0; i < count_; ++i) order.emplace_back(squares[static_cast<std::size_t>(i)], i);
  const int neighbours = std::min(options_.neighbours, count_);
  std::nth_element(order.begin(), order.begin() + (neighbours - 1), order.end());

  // Differences to the code itself, so that equal codes have no variance at all, not even that of
  // rounding.
  Eigen::MatrixXd near(neighbours, code_size_);
  for (int row = 0; row < neighbours; ++row) {
    const int neighbour = order[static_cast<std::size_t>(row)].second;
    for (int i = 0; i < code_size_; ++i) near(row, i) = double{at(neighbour, i)} - at(index, i);
  }
  near.rowwise() -= near.colwise().mean().eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(near.transpose() * near);

  // Eigenvalues come in ascending order.
  const Eigen::VectorXd variances = solver.eigenvalues().cwiseMax(0).reverse();
  const double wanted = options_.variance * variances.sum() * (1 - kShareRounding);
  if (variances[0] == 0) return {};
  Eigen::Index components = 1;
  for (double held = variances[0]; held < wanted; ++components) held += variances[components];
  std::vector<double> rows(static_cast<std::size_t>(components * code_size_));
  Eigen::Map<RowMatrix>(rows.data(), components, code_size_) =
      solver.eigenvectors().rowwise().reverse().leftCols(components).transpose();
  return rows;
}

void DataManifold::Project(int index, std::span<double> gradient) const {
  RHUMB_CHECK(std::ssize(gradient) == code_size_, "a gradient of {} numbers, codes have {}",
              gradient.size(), code_size_);
  const std::span<const double> rows = Basis(index);
  const Eigen::Map<const RowMatrix> basis(rows.data(), std::ssize(rows) / code_size_, code_size_);
  Eigen::Map<Eigen::VectorXd> g(gradient.data(), code_size_);
  double memory[kMaxCodeSize];
  Eigen::Map<Eigen::VectorXd> components(memory, basis.rows());
  components.noalias() = basis * g;
  g.noalias() = basis.transpose() * components;
}

}  // namespace rhumb::steer
