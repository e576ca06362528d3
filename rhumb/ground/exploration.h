// Exploration between the strands: chooses the codes that grounding rolls out next.
//
//   codes tried so far, with their values -> tournament for a lonely parent
//     -> a partner that did something similar -> a mixture of both, the child
//
// Children are rolled out and become parents of the next round, so rounds spread over the empty
// places of value space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rhumb::ground {

// N codes that were rolled out. Views; all numbers finite.
struct TriedCodes {
  int code_size = 0;              // H
  int objectives = 0;             // K
  int shaping = 0;                // the first `shaping` objectives shaped the map; 0 means all
  std::span<const float> codes;   // [N, H]
  std::span<const float> values;  // [N, K], in standard deviations of the labels
  std::span<const std::uint8_t> steady;  // [N]: 1 if a code may be a parent, else 0
  std::span<const std::int64_t> owners;  // [N]: agent or policy of the code, -1 if none; or empty

  int count() const { return static_cast<int>(codes.size()) / code_size; }
};

// Returns `count` codes [count, H]. Every second child has a parent that is lonely in the shaping
// objectives; the others have one that is lonely in all objectives. Unsteady codes are neighbours
// but no parents, unless fewer than two codes are steady. Equal arguments give equal bits. Throws
// an Error if fewer than two codes were tried.
std::vector<float> ExploreRound(const TriedCodes& tried, int count, std::uint64_t seed, int round);

// Side of a cell of value space, in standard deviations of the labels.
constexpr double kCellSide = 0.25;

// Counts the cells of the shaping objectives' space that the codes with counted[i] != 0 occupy.
int CountCells(const TriedCodes& tried, std::span<const std::uint8_t> counted);

}  // namespace rhumb::ground
