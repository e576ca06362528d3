#include "rhumb/steer/path_recorder.h"

#include <algorithm>

#include "rhumb/core/error.h"

namespace rhumb::steer {

void PathRecorder::operator()(int iteration, std::span<const int> start, const double* points,
                              const double*) {
  if (iteration == 0) descents_.emplace_back(start.size());
  for (std::size_t row = 0; row < start.size(); ++row) {
    Path& path = descents_.back()[static_cast<std::size_t>(start[row])];
    path.insert(path.end(), points + row * code_size_, points + (row + 1) * code_size_);
  }
}

std::vector<std::vector<float>> PathRecorder::PathTo(const Answer& answer,
                                                     std::size_t max_points) const {
  RHUMB_CHECK(max_points >= 2, "a path of {} points", max_points);
  if (answer.origin != Origin::kSteered || answer.iterations == 0) return {};
  const auto is_answer = [&](const Path& path, std::size_t step) {
    return std::equal(answer.code.begin(), answer.code.end(), path.data() + step * code_size_);
  };
  // Search the last descent first, because most answers come from it.
  for (auto descent = descents_.rbegin(); descent != descents_.rend(); ++descent) {
    for (const Path& path : *descent) {
      std::size_t last = 0;
      const std::size_t steps = path.size() / code_size_;
      while (last < steps && !is_answer(path, last)) ++last;
      if (last == steps) continue;
      std::vector<std::vector<float>> codes;
      const std::size_t count = std::min(last + 1, max_points);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t step = count == 1 ? 0 : i * last / (count - 1);
        codes.emplace_back(path.data() + step * code_size_, path.data() + (step + 1) * code_size_);
      }
      return codes;
    }
  }
  return {};
}

}  // namespace rhumb::steer
