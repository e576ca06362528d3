#include "rhumb/eval/map/pareto_front.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/core/function_ref.h"
#include "rhumb/eval/map/utility_weights.h"

namespace rhumb::eval {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

bool IsAtLeast(std::span<const double> a, std::span<const double> b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] < b[k]) return false;
  }
  return true;
}

// The area above (0, 0) below a growing set of points.
class Staircase {
 public:
  double area() const { return area_; }

  void Add(double x, double y) {
    auto right = steps_.lower_bound(x);
    if (right != steps_.end() && right->second >= y) return;
    // The new area lies between x and the steps that it covers, one after another to the left.
    double upper = x;
    auto step = right;
    if (step != steps_.end() && step->first == x) ++step;
    double height = step == steps_.end() ? 0 : step->second;
    while (step != steps_.begin()) {
      const auto left = std::prev(step);
      if (left->first < upper) {
        area_ += (upper - left->first) * (y - height);
        upper = left->first;
      }
      height = left->second;
      if (height >= y) break;
      step = steps_.erase(left);
    }
    if (height < y) area_ += upper * (y - height);
    steps_[x] = y;
  }

 private:
  std::map<double, double> steps_;  // x -> y, y descending
  double area_ = 0;
};

// Volume above the origin of rows [N, K] whose numbers are all positive.
double VolumeOf(std::vector<std::vector<double>> rows) {
  if (rows.empty()) return 0;
  const std::size_t objectives = rows[0].size();
  if (objectives == 1) return (*std::max_element(rows.begin(), rows.end()))[0];
  if (objectives == 2) {
    Staircase stairs;
    for (const auto& row : rows) stairs.Add(row[0], row[1]);
    return stairs.area();
  }
  // Slices along the last objective, from the highest: each has the points above it.
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.back() > b.back(); });
  double volume = 0;
  Staircase stairs;
  std::vector<std::vector<double>> above;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double height = rows[i].back() - (i + 1 < rows.size() ? rows[i + 1].back() : 0);
    if (objectives == 3) {
      stairs.Add(rows[i][0], rows[i][1]);
      volume += height * stairs.area();
      continue;
    }
    above.emplace_back(rows[i].begin(), rows[i].end() - 1);
    if (height > 0) volume += height * VolumeOf(above);
  }
  return volume;
}

// Mean over the reference points of the distance to the nearest point of the front.
double MeanDistance(const PointSet& front, const PointSet& reference,
                    core::FunctionRef<double(double difference)> part) {
  if (front.count() == 0 || reference.count() == 0) return kUndefined;
  double sum = 0;
  for (std::size_t z = 0; z < reference.count(); ++z) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < front.count(); ++p) {
      double squares = 0;
      for (std::size_t k = 0; k < front.objectives; ++k) {
        const double own = part(reference.point(z)[k] - front.point(p)[k]);
        squares += own * own;
      }
      nearest = std::min(nearest, squares);
    }
    sum += std::sqrt(nearest);
  }
  return sum / static_cast<double>(reference.count());
}

// max_p w.p for each weight vector; empty without weights or points.
std::vector<double> BestUtilities(const PointSet& front) {
  const std::span<const double> weights = UtilityWeights(front.objectives);
  std::vector<double> best;
  if (front.count() == 0) return best;
  for (std::size_t at = 0; at < weights.size(); at += front.objectives) {
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < front.count(); ++p) {
      const std::span<const double> point = front.point(p);
      highest = std::max(
          highest, std::inner_product(point.begin(), point.end(),
                                      weights.begin() + static_cast<std::ptrdiff_t>(at), 0.0));
    }
    best.push_back(highest);
  }
  return best;
}

}  // namespace

void PointSet::Add(std::span<const double> point) {
  RHUMB_CHECK(point.size() == objectives, "a point of {} numbers in a set of {}", point.size(),
              objectives);
  values.insert(values.end(), point.begin(), point.end());
}

std::vector<std::size_t> NonDominatedRows(const PointSet& points) {
  // In descending order a point can only be dominated by one before it, and then by one that is
  // kept. Equal points stay in their order, so the first is kept.
  std::vector<std::size_t> order(points.count()), kept;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(points.point(b), points.point(a));
  });
  for (const std::size_t row : order) {
    const auto covers = [&](std::size_t other) {
      return IsAtLeast(points.point(other), points.point(row));
    };
    if (std::ranges::none_of(kept, covers)) kept.push_back(row);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

PointSet FrontOf(const PointSet& points) {
  PointSet front{points.objectives, {}};
  for (const std::size_t row : NonDominatedRows(points)) front.Add(points.point(row));
  return front;
}

double Hypervolume(const PointSet& points, std::span<const double> reference) {
  RHUMB_CHECK(reference.size() == points.objectives && !reference.empty(),
              "a reference point of {} numbers for {} objectives", reference.size(),
              points.objectives);
  std::vector<std::vector<double>> above;
  for (std::size_t row = 0; row < points.count(); ++row) {
    std::vector<double>& own = above.emplace_back();
    for (std::size_t k = 0; k < reference.size(); ++k) {
      own.push_back(points.point(row)[k] - reference[k]);
    }
    if (std::ranges::any_of(own, [](double part) { return part <= 0; })) above.pop_back();
  }
  return VolumeOf(std::move(above));
}

double ExpectedUtility(const PointSet& front) {
  const std::vector<double> best = BestUtilities(front);
  if (best.empty()) return kUndefined;
  return std::accumulate(best.begin(), best.end(), 0.0) / static_cast<double>(best.size());
}

double MaximumUtilityLoss(const PointSet& front, const PointSet& reference) {
  const std::vector<double> ours = BestUtilities(front), theirs = BestUtilities(reference);
  if (ours.empty() || theirs.empty()) return kUndefined;
  double loss = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ours.size(); ++i) loss = std::max(loss, theirs[i] - ours[i]);
  return loss;
}

double InvertedGenerationalDistance(const PointSet& front, const PointSet& reference) {
  return MeanDistance(front, reference, [](double difference) { return difference; });
}

double InvertedGenerationalDistancePlus(const PointSet& front, const PointSet& reference) {
  return MeanDistance(front, reference,
                      [](double difference) { return std::max(difference, 0.0); });
}

double Sparsity(const PointSet& front) {
  if (front.count() < 2) return 0;
  double sum = 0;
  std::vector<double> column(front.count());
  for (std::size_t k = 0; k < front.objectives; ++k) {
    for (std::size_t row = 0; row < front.count(); ++row) column[row] = front.point(row)[k];
    std::sort(column.begin(), column.end());
    for (std::size_t i = 1; i < column.size(); ++i) {
      sum += (column[i] - column[i - 1]) * (column[i] - column[i - 1]);
    }
  }
  return sum / static_cast<double>(front.count() - 1);
}

}  // namespace rhumb::eval
