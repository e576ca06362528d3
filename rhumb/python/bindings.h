// The extension module rhumb._core: what the Python package (python/rhumb) is built on.
//
//   Python wrappers (python/rhumb/*.py)  ->  rhumb._core  ->  the rooms
//
// Every source binds one subject. Long work releases the GIL; rhumb::Error becomes rhumb.Error, a
// ValueError.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::python {

void BindModel(nanobind::module_& module);
void BindEnvironment(nanobind::module_& module);
void BindPopulation(nanobind::module_& module);
void BindData(nanobind::module_& module);

// Arrays that Python hands over; nanobind converts other types and layouts.
using Doubles = nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;
using Floats = nanobind::ndarray<const float, nanobind::c_contig, nanobind::device::cpu>;

// Throws Error unless the array is [rows, columns], where -1 is any number, and finite. `name` is
// its name in messages. Returns all its numbers.
std::span<const double> CheckArray(const Doubles& array, std::string_view name, std::int64_t rows,
                                   std::int64_t columns);
std::span<const float> CheckArray(const Floats& array, std::string_view name, std::int64_t rows,
                                  std::int64_t columns);

// A NumPy array that owns its numbers.
template <class Number>
nanobind::object MakeArray(std::vector<Number> numbers, const std::vector<std::size_t>& shape) {
  auto* owned = new std::vector<Number>(std::move(numbers));
  const nanobind::capsule owner(
      owned, [](void* memory) noexcept { delete static_cast<std::vector<Number>*>(memory); });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, Number>(owned->data(), shape.size(), shape.data(), owner));
}

// A read-only NumPy array on numbers that `owner` keeps alive; nothing is copied.
template <class Number>
nanobind::object MakeView(std::span<const Number> numbers, const std::vector<std::size_t>& shape,
                          nanobind::handle owner) {
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, const Number>(
      numbers.data(), shape.size(), shape.data(), owner));
}

// Dictionaries, lists, texts and numbers of Python.
nanobind::object ToPython(const nlohmann::json& document);

// Runs `work` without the GIL. Ctrl-C makes `should_stop` true, and then KeyboardInterrupt is
// raised when `work` returns.
void RunInterruptibly(const std::function<void(const std::function<bool()>& should_stop)>& work);

}  // namespace rhumb::python
