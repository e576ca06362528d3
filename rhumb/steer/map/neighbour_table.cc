#include "rhumb/steer/map/neighbour_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::steer {
namespace {

// A vector holds one element of eight codes; four running sums hide the latency of additions.
// Compiler vector types avoid intrinsics.
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
constexpr int kLanes = 8, kVectors = 4, kBlock = kLanes * kVectors;

// squares [kBlock]: sum_i (point_i - code_i)^2 for the codes of a block [H, kBlock].
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

NeighbourTable::NeighbourTable(std::span<const float> codes, int code_size)
    : code_size_(code_size) {
  const auto width = static_cast<std::size_t>(code_size);
  RHUMB_CHECK(code_size > 0 && codes.size() % width == 0, "{} numbers in codes of {}", codes.size(),
              code_size);
  const std::size_t count = codes.size() / width;
  count_ = static_cast<int>(count);
  padded_count_ = (count + kBlock - 1) / kBlock * kBlock;
  blocks_.reserve(padded_count_ * width);
  // Pad the last block with the last code, which never wins over itself.
  for (std::size_t first = 0; first < padded_count_; first += kBlock) {
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t lane = 0; lane < kBlock; ++lane) {
        blocks_.push_back(codes[std::min(first + lane, count - 1) * width + i]);
      }
    }
  }
}

float NeighbourTable::at(int index, int element) const {
  const auto block = static_cast<std::size_t>(index / kBlock);
  return blocks_[(block * static_cast<std::size_t>(code_size_) +
                  static_cast<std::size_t>(element)) *
                     kBlock +
                 static_cast<std::size_t>(index % kBlock)];
}

NeighbourTable::Nearest NeighbourTable::FindNearest(std::span<const double> point) const {
  RHUMB_CHECK(std::ssize(point) == code_size_ && count_ > 0,
              "a point of {} numbers, {} codes of {}", point.size(), count_, code_size_);
  // Find the minimum of each lane and its position, then the minimum of the lanes.
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

// Nearly all codes are only compared with the worst neighbour kept.
std::size_t NeighbourTable::FindNeighbours(std::span<const float> point,
                                           std::span<Neighbour> neighbours, int except) const {
  RHUMB_CHECK(std::ssize(point) == code_size_, "a point of {} numbers, codes of {}", point.size(),
              code_size_);
  std::size_t found = 0;
  float squares[kBlock];
  const float* block = blocks_.data();
  for (int first = 0; first < count_; first += kBlock, block += code_size_ * kBlock) {
    MeasureBlock(block, point, squares);
    if (found == neighbours.size() && found > 0) {
      // Most blocks have no code that is nearer; the compiler compares them eight at a time.
      const float worst = neighbours[found - 1].square;
      int nearer = 0;
      for (int lane = 0; lane < kBlock; ++lane) nearer |= squares[lane] < worst ? 1 : 0;
      if (nearer == 0) continue;
    }
    for (int i = first; i < std::min(first + kBlock, count_); ++i) {
      const float square = squares[i - first];
      const bool is_full = found == neighbours.size();
      if (i == except || (is_full && (found == 0 || !(square < neighbours[found - 1].square)))) {
        continue;
      }
      std::size_t place = is_full ? found - 1 : found++;
      for (; place > 0 && square < neighbours[place - 1].square; --place) {
        neighbours[place] = neighbours[place - 1];
      }
      neighbours[place] = {i, square};
    }
  }
  return found;
}

void NeighbourTable::MeasureSquares(std::span<const float> point, std::span<float> squares) const {
  RHUMB_CHECK(std::ssize(point) == code_size_ && squares.size() == padded_count_,
              "a point of {} numbers, codes have {}; room for {} of {} squares", point.size(),
              code_size_, squares.size(), padded_count_);
  const float* block = blocks_.data();
  for (std::size_t first = 0; first < padded_count_; first += kBlock) {
    MeasureBlock(block, point, squares.data() + first);
    block += code_size_ * kBlock;
  }
}

}  // namespace rhumb::steer
