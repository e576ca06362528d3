#include "rhumb/net/model.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/math/principal_axes.h"
#include "rhumb/core/text.h"

namespace rhumb::net {

std::string_view NameOf(RolloutMode mode) { return kRolloutModeNames.NameOf(mode); }

RolloutMode ParseRolloutMode(std::string_view word) {
  for (const RolloutMode mode : kRolloutModeNames.values()) {
    if (NameOf(mode) == word) return mode;
  }
  Fail("unknown rollout mode '{}'{}", word, core::Suggestion(word, kRolloutModeNames.words()));
}

Model::Model()
    : provenance(std::make_shared<const nlohmann::json>(nlohmann::json::object())),
      metrics(provenance) {}

PrincipalMap MakePrincipalMap(std::span<const float> codes, int code_size) {
  const core::PrincipalAxes found = core::FindPrincipalAxes(codes, code_size);
  const auto width = static_cast<std::size_t>(code_size);
  PrincipalMap map;
  map.mean.assign(found.mean.begin(), found.mean.end());
  map.directions.assign(2 * width, 0.0f);
  for (std::size_t i = 0; i < std::min<std::size_t>(2, width); ++i) {
    const std::span axis(found.axes.data() + i * width, width);
    // The largest element of a direction is positive.
    const double largest =
        std::ranges::max(axis, {}, [](double element) { return std::abs(element); });
    for (std::size_t j = 0; j < width; ++j) {
      map.directions[i * width + j] = static_cast<float>(largest < 0 ? -axis[j] : axis[j]);
    }
  }
  return map;
}

}  // namespace rhumb::net
