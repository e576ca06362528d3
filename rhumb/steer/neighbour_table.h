// A table of codes, laid out for measuring the distance of a point to all of them.
#pragma once

#include <span>
#include <vector>

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class NeighbourTable {
 public:
  // codes [N, H] are copied; N >= 0, finite.
  NeighbourTable(std::span<const float> codes, int code_size);

  int count() const { return count_; }          // N
  int code_size() const { return code_size_; }  // H
  float at(int index, int element) const;       // of code `index`

  // The code nearest to `point` [H], to the rounding of float (of equally near ones the first), and
  // its distance. N >= 1. Allocates nothing.
  struct Nearest {
    int index = 0;
    double distance = 0;  // Euclidean
  };
  Nearest FindNearest(std::span<const double> point) const;

  // squares [padded_count()]: the squared distance of each code to `point` [H]. The last code fills
  // up the padding.
  void MeasureSquares(std::span<const float> point, std::span<float> squares) const;
  std::size_t padded_count() const { return padded_count_; }

 private:
  int code_size_;
  int count_;
  std::size_t padded_count_;
  // [blocks, H, codes of a block]: the first number of each code of a block, then the second, …
  std::vector<float> blocks_;
};

}  // namespace rhumb::steer
