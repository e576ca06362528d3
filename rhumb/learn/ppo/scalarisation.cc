#include "rhumb/learn/ppo/scalarisation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/random.h"

namespace rhumb::learn::ppo {
namespace {

void AppendGrid(std::vector<int>& parts, int left, int objectives, int divisions,
                std::vector<std::vector<double>>& rows) {
  if (static_cast<int>(parts.size()) + 1 == objectives) {
    std::vector<double> row;
    for (const int part : parts) row.push_back(static_cast<double>(part) / divisions);
    row.push_back(static_cast<double>(left) / divisions);
    rows.push_back(std::move(row));
    return;
  }
  for (int part = left; part >= 0; --part) {
    parts.push_back(part);
    AppendGrid(parts, left - part, objectives, divisions, rows);
    parts.pop_back();
  }
}

// Normalised exponential draws are uniform on the simplex: Dirichlet(1, …, 1).
std::vector<std::vector<double>> DrawDirichlet(int count, int objectives, std::uint64_t seed) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < count; ++i) {
    core::Stream noise(seed, core::Purpose::kScalarisation, i);
    std::vector<double> row;
    double sum = 0;
    for (int k = 0; k < objectives; ++k) {
      row.push_back(-std::log(1 - noise.Uniform()));
      sum += row.back();
    }
    for (double& weight : row) weight /= sum;
    rows.push_back(std::move(row));
  }
  return rows;
}

void Check(const std::vector<std::vector<double>>& rows, int objectives, const std::string& place) {
  if (rows.empty()) Fail("{}: there is no weight vector", place);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double sum = 0;
    for (const double weight : rows[i]) {
      if (!(weight >= 0)) Fail("{}: weight {} of vector {} is negative", place, weight, i);
      sum += weight;
    }
    if (rows[i].size() != static_cast<std::size_t>(objectives) || std::abs(sum - 1) > 1e-6) {
      Fail(
          "{}: vector {} has {} weights that sum to {}; the environment has {} objectives, and the "
          "sum must be 1",
          place, i, rows[i].size(), sum, objectives);
    }
  }
}

// The vectors whose numbers stand in `list`, one after another.
std::vector<std::vector<double>> RowsOf(const std::vector<double>& list, int objectives,
                                        const std::string& place) {
  if (list.size() % static_cast<std::size_t>(objectives) != 0) {
    Fail("{}: {} numbers do not make vectors of {}", place, list.size(), objectives);
  }
  std::vector<std::vector<double>> rows;
  for (auto it = list.begin(); it != list.end(); it += objectives) {
    rows.emplace_back(it, it + objectives);
  }
  Check(rows, objectives, place);
  return rows;
}

double SquaredDistance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

bool AreNeighbours(const std::vector<std::vector<double>>& roots, std::size_t i, std::size_t j) {
  constexpr double kTie = 1e-9;
  const double diameter = SquaredDistance(roots[i], roots[j]);
  if (diameter < kTie) return false;
  // A point lies in the ball over the diameter ij if it sees i and j under an obtuse angle.
  return std::none_of(roots.begin(), roots.end(), [&](const std::vector<double>& root) {
    return SquaredDistance(root, roots[i]) + SquaredDistance(root, roots[j]) < diameter - kTie;
  });
}

}  // namespace

std::vector<std::vector<double>> BetweenNeighbours(const std::vector<std::vector<double>>& roots,
                                                   int per_pair) {
  std::vector<std::vector<double>> children;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    for (std::size_t j = i + 1; j < roots.size(); ++j) {
      if (!AreNeighbours(roots, i, j)) continue;
      for (int step = 1; step <= per_pair; ++step) {
        const double t = static_cast<double>(step) / (per_pair + 1);
        std::vector<double> child;
        for (std::size_t k = 0; k < roots[i].size(); ++k) {
          child.push_back((1 - t) * roots[i][k] + t * roots[j][k]);
        }
        children.push_back(std::move(child));
      }
    }
  }
  return children;
}

std::vector<std::vector<double>> WeightGrid(int objectives, int divisions) {
  std::vector<std::vector<double>> rows;
  std::vector<int> parts;
  AppendGrid(parts, divisions, objectives, divisions, rows);
  return rows;
}

std::vector<std::vector<double>> MakeWeights(const PopulationConfig& config, int objectives,
                                             std::uint64_t seed) {
  WeightSource source = config.weights;
  if (source == WeightSource::kAuto) {
    source = objectives == 2 ? WeightSource::kGrid : WeightSource::kDirichlet;
  }
  if (source == WeightSource::kGrid) {
    if (config.count < 2) Fail("count = {}: a grid of weights has at least 2", config.count);
    // For two objectives `count` vectors; for more, the coarsest grid with at least `count`.
    int divisions = config.count - 1;
    if (objectives > 2) {
      divisions = 1;
      while (static_cast<int>(WeightGrid(objectives, divisions).size()) < config.count) ++divisions;
    }
    return WeightGrid(objectives, divisions);
  }
  if (source == WeightSource::kDirichlet) return DrawDirichlet(config.count, objectives, seed);
  if (source == WeightSource::kList) return RowsOf(config.list, objectives, "list");
  if (config.file.empty()) Fail("weights = file needs the setting 'file'");
  std::vector<std::vector<double>> rows;
  const nlohmann::json document = core::ReadJson(config.file, 1 << 24);
  try {
    document.get_to(rows);
  } catch (const nlohmann::json::exception& problem) {
    Fail("{}: not a JSON list of weight vectors ({})", config.file, problem.what());
  }
  Check(rows, objectives, config.file);
  return rows;
}

std::vector<std::vector<double>> MakeChildWeights(const PopulationConfig& config,
                                                  const std::vector<std::vector<double>>& roots) {
  if (config.child_list.empty()) return BetweenNeighbours(roots, config.children);
  if (config.children > 0) {
    Fail(
        "children = {}, and child_list names {} numbers: give one of them (child_list=[] takes the "
        "list away)",
        config.children, config.child_list.size());
  }
  return RowsOf(config.child_list, static_cast<int>(roots.front().size()), "child_list");
}

}  // namespace rhumb::learn::ppo
