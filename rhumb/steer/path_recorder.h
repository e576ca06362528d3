// Records the codes visited by descents, to show how an answer was reached.
//
//   PathRecorder recorder(code_size);
//   const PrimalDual::Observer observer(recorder);
//   Result result = steerer.Solve(query, reference, seed, -1, &observer);
//   recorder.PathTo(result.answers.front());
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rhumb/steer/answer.h"

namespace rhumb::steer {

// Used by one thread.
class PathRecorder {
 public:
  explicit PathRecorder(int code_size) : code_size_(static_cast<std::size_t>(code_size)) {}

  // A PrimalDual::Observer: points [rows, H].
  void operator()(int iteration, std::span<const int> start, const double* points,
                  const double* multipliers);

  // Returns the codes from a start to the answer, both included. At most `max_points` (at least 2)
  // evenly spaced ones are returned. Empty if the answer was not steered or no recorded descent
  // visited it.
  std::vector<std::vector<float>> PathTo(const Answer& answer, std::size_t max_points) const;

 private:
  using Path = std::vector<float>;  // [iterations, H]

  std::size_t code_size_;
  std::vector<std::vector<Path>> descents_;  // by start
};

}  // namespace rhumb::steer
