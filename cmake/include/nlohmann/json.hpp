// nlohmann's JSON with a destructor that allocates nothing. Theirs moves all members to a vector
// first, so that documents of any depth can be destroyed. If memory runs out there, it throws inside
// a destructor and ends the program, and a robot's with it. Our documents have at most 64 levels
// (core::ParseJson), so plain recursion does. Our include path has this folder first, so every unit
// of ours takes this file.
#pragma once

#include_next <nlohmann/json.hpp>

template <>
inline void nlohmann::json::json_value::destroy(nlohmann::detail::value_t type) {
  // std::allocator made them: new and delete do the same.
  if (type == nlohmann::detail::value_t::object) delete object;
  if (type == nlohmann::detail::value_t::array) delete array;
  if (type == nlohmann::detail::value_t::string) delete string;
  if (type == nlohmann::detail::value_t::binary) delete binary;
}
