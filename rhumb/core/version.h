// The version of Rhumb, as `rhumb --version` prints it and every manifest records it.
#pragma once

#include <string_view>

namespace rhumb::core {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace rhumb::core
