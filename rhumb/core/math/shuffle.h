// Shuffles with a random stream (Fisher-Yates).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "rhumb/core/math/random.h"

namespace rhumb::core {

template <class T>
void Shuffle(std::span<T> items, Stream& noise) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[noise.Below(static_cast<std::uint32_t>(i))]);
  }
}

}  // namespace rhumb::core
