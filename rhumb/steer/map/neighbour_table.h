// A table of codes, laid out for fast distances from one point to all codes.
#pragma once

#include <span>
#include <vector>

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class NeighbourTable {
 public:
  // Copies codes [N, H]; N >= 0, finite.
  NeighbourTable(std::span<const float> codes, int code_size);

  int count() const { return count_; }          // N
  int code_size() const { return code_size_; }  // H
  float at(int index, int element) const;       // one element of code `index`

  // Returns the code nearest to `point` [H], within float rounding, and its distance. The first of
  // equally near codes wins. Needs N >= 1. Allocates nothing.
  struct Nearest {
    int index = 0;
    double distance = 0;  // Euclidean
  };
  Nearest FindNearest(std::span<const double> point) const;

  struct Neighbour {
    int index = 0;
    float square = 0;  // squared distance
  };
  // Fills `neighbours` with the codes nearest to `point` [H], nearest first, and leaves out the
  // code `except`. The first of equally near codes wins. Returns how many it found: all, or fewer
  // if the table is smaller. Allocates nothing.
  std::size_t FindNeighbours(std::span<const float> point, std::span<Neighbour> neighbours,
                             int except = -1) const;

  // squares [padded_count()]: squared distances from each code to `point` [H]. Copies of the last
  // code fill the padding.
  void MeasureSquares(std::span<const float> point, std::span<float> squares) const;
  std::size_t padded_count() const { return padded_count_; }

 private:
  int code_size_;
  int count_;
  std::size_t padded_count_;
  // [blocks, H, codes per block]: the first element of each code of a block, then the second, …
  std::vector<float> blocks_;
};

}  // namespace rhumb::steer
