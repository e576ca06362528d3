#include "rhumb/ground/exploration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"

namespace rhumb::ground {
namespace {

constexpr int kTournament = 8;                           // random codes, of which one is parent
constexpr double kLeastApart = 0.3, kMostApart = 1.2;    // of partners, in label deviations
constexpr double kLeastShare = 0.25, kMostShare = 0.75;  // t, the partner's share of the child

class Explorer {
 public:
  explicit Explorer(const TriedCodes& tried)
      : tried_(tried), shaping_(tried.shaping > 0 ? tried.shaping : tried.objectives) {
    for (int i = 0; i < tried.count(); ++i) {
      if (tried.steady[static_cast<std::size_t>(i)] != 0) parents_.push_back(i);
    }
    if (parents_.size() >= 2) return;
    parents_.clear();
    for (int i = 0; i < tried.count(); ++i) parents_.push_back(i);
  }

  // The child (1 - t) a + t b.
  void AppendChild(int number, core::Stream& noise, std::vector<float>& codes) const {
    const int objectives = number % 2 == 0 ? shaping_ : tried_.objectives;
    const int first = LonelyParent(objectives, noise);
    const int second = Partner(first, noise);
    const double share = noise.Uniform(kLeastShare, kMostShare);
    const auto size = static_cast<std::size_t>(tried_.code_size);
    const float* a = tried_.codes.data() + static_cast<std::size_t>(first) * size;
    const float* b = tried_.codes.data() + static_cast<std::size_t>(second) * size;
    for (std::size_t h = 0; h < size; ++h) {
      codes.push_back(static_cast<float>((1 - share) * double{a[h]} + share * double{b[h]}));
    }
  }

 private:
  // Squared distance of two codes' values in the first `objectives` objectives.
  double Square(int first, int second, int objectives) const {
    const float* a = tried_.values.data() + std::ptrdiff_t{first} * tried_.objectives;
    const float* b = tried_.values.data() + std::ptrdiff_t{second} * tried_.objectives;
    double square = 0;
    for (int k = 0; k < objectives; ++k) {
      const double apart = double{a[k]} - double{b[k]};
      square += apart * apart;
    }
    return square;
  }

  // Squared distance to the nearest neighbour, unsteady ones included.
  double Loneliness(int code, int objectives) const {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tried_.count(); ++i) {
      if (i != code) least = std::min(least, Square(code, i, objectives));
    }
    return least;
  }

  int AnyParent(core::Stream& noise) const {
    return parents_[noise.Below(static_cast<std::uint32_t>(parents_.size()))];
  }

  int LonelyParent(int objectives, core::Stream& noise) const {
    int best = AnyParent(noise);
    double loneliest = Loneliness(best, objectives);
    for (int i = 1; i < kTournament; ++i) {
      const int other = AnyParent(noise);
      const double own = Loneliness(other, objectives);
      if (own > loneliest) best = other, loneliest = own;
    }
    return best;
  }

  bool HaveOneOwner(int first, int second) const {
    if (tried_.owners.empty()) return false;
    const std::int64_t owner = tried_.owners[static_cast<std::size_t>(first)];
    return owner >= 0 && owner == tried_.owners[static_cast<std::size_t>(second)];
  }

  // A random parent that did something similar, but not the same. Codes of other owners come
  // first, because the population has already filled the strand of an owner. If nothing is similar,
  // any other parent will do.
  int Partner(int first, core::Stream& noise) const {
    std::vector<int> similar, of_others;
    for (const int other : parents_) {
      const double square = Square(first, other, shaping_);
      if (square < kLeastApart * kLeastApart || square > kMostApart * kMostApart) continue;
      similar.push_back(other);
      if (!HaveOneOwner(first, other)) of_others.push_back(other);
    }
    const std::vector<int>& from = of_others.empty() ? similar : of_others;
    if (!from.empty()) return from[noise.Below(static_cast<std::uint32_t>(from.size()))];
    int other = first;
    while (other == first) other = AnyParent(noise);
    return other;
  }

  const TriedCodes& tried_;
  const int shaping_;
  std::vector<int> parents_;  // rows of tried_
};

}  // namespace

std::vector<float> ExploreRound(const TriedCodes& tried, int count, std::uint64_t seed, int round) {
  if (tried.count() < 2) {
    Fail("exploration needs at least 2 codes that can be rolled out, and there is {}",
         tried.count());
  }
  const Explorer explorer(tried);
  std::vector<float> codes;
  for (int child = 0; child < count; ++child) {
    core::Stream noise(seed, core::Purpose::kExploration, round, child);
    explorer.AppendChild(child, noise, codes);
  }
  return codes;
}

int CountCells(const TriedCodes& tried, std::span<const std::uint8_t> counted) {
  const int shaping = tried.shaping > 0 ? tried.shaping : tried.objectives;
  std::set<std::vector<std::int64_t>> cells;
  for (int i = 0; i < tried.count(); ++i) {
    if (counted[static_cast<std::size_t>(i)] == 0) continue;
    std::vector<std::int64_t> cell;
    for (int k = 0; k < shaping; ++k) {
      const float value = tried.values[static_cast<std::size_t>(i * tried.objectives + k)];
      cell.push_back(static_cast<std::int64_t>(std::floor(value / kCellSide)));
    }
    cells.insert(std::move(cell));
  }
  return static_cast<int>(cells.size());
}

}  // namespace rhumb::ground
