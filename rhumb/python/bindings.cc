#include "rhumb/python/bindings.h"

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <thread>

#include "rhumb/core/error.h"

namespace rhumb::python {
namespace nb = nanobind;
namespace {

constexpr std::chrono::milliseconds kSignalPeriod{20};

template <class Array>
auto Check(const Array& array, std::string_view name, std::int64_t rows, std::int64_t columns) {
  const auto wanted = [](std::int64_t size) { return size < 0 ? "any" : std::to_string(size); };
  const auto fits = [](std::int64_t want, std::size_t got) {
    return want < 0 || static_cast<std::size_t>(want) == got;
  };
  if (array.ndim() != 2 || !fits(rows, array.shape(0)) || !fits(columns, array.shape(1))) {
    std::string shape;
    for (std::size_t i = 0; i < array.ndim(); ++i) {
      shape += (i == 0 ? "" : ", ") + std::to_string(array.shape(i));
    }
    Fail("{} has the shape [{}]; it must be [{}, {}]", name, shape, wanted(rows), wanted(columns));
  }
  const std::span numbers(array.data(), array.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    Fail("{}[{}, {}] is {}; every number must be finite", name, i / array.shape(1),
         i % array.shape(1), numbers[i]);
  }
  return numbers;
}

}  // namespace

std::span<const double> CheckArray(const Doubles& array, std::string_view name, std::int64_t rows,
                                   std::int64_t columns) {
  return Check(array, name, rows, columns);
}

std::span<const float> CheckArray(const Floats& array, std::string_view name, std::int64_t rows,
                                  std::int64_t columns) {
  return Check(array, name, rows, columns);
}

nb::object ToPython(const nlohmann::json& document) {
  using Kind = nlohmann::json::value_t;
  switch (document.type()) {
    case Kind::object: {
      nb::dict object;
      for (const auto& [key, value] : document.items()) object[key.c_str()] = ToPython(value);
      return object;
    }
    case Kind::array: {
      nb::list list;
      for (const nlohmann::json& value : document) list.append(ToPython(value));
      return list;
    }
    case Kind::string:
      return nb::cast(document.get_ref<const std::string&>());
    case Kind::boolean:
      return nb::cast(document.get<bool>());
    case Kind::number_integer:
      return nb::cast(document.get<std::int64_t>());
    case Kind::number_unsigned:
      return nb::cast(document.get<std::uint64_t>());
    case Kind::number_float:
      return nb::cast(document.get<double>());
    default:
      return nb::none();
  }
}

void RunInterruptibly(const std::function<void(const std::function<bool()>& should_stop)>& work) {
  std::atomic<bool> stop = false;
  std::exception_ptr interrupt;
  {
    const nb::gil_scoped_release release;
    // Only this thread may ask Python for signals; the workers read what it found.
    const std::thread::id caller = std::this_thread::get_id();
    auto asked = std::chrono::steady_clock::now();
    work([&] {
      const auto now = std::chrono::steady_clock::now();
      if (std::this_thread::get_id() == caller && now - asked > kSignalPeriod && !stop) {
        asked = now;
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) {
          interrupt = std::make_exception_ptr(nb::python_error());
          stop = true;
        }
      }
      return stop.load();
    });
  }
  if (interrupt) std::rethrow_exception(interrupt);
}

}  // namespace rhumb::python
