#include <nanobind/nanobind.h>

#include "rhumb/python/bindings.h"

namespace rhumb::python {

void BindPopulation(nanobind::module_&) {}

}  // namespace rhumb::python
