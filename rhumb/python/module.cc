#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include "rhumb/core/error.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/version.h"
#include "rhumb/python/bindings.h"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  module.doc() = "The engine of Rhumb. Use the package rhumb, which is built on it.";
  module.attr("__version__") = nb::str(rhumb::core::kVersion.data(), rhumb::core::kVersion.size());
  nb::exception<rhumb::Error>(module, "Error", PyExc_ValueError);
  module.def("set_installation_folder", &rhumb::core::SetInstallationFolder, nb::arg("folder"),
             "Sets the folder that holds share/rhumb: environments, bundled models and scripts.");
  rhumb::python::BindModel(module);
  rhumb::python::BindEnvironment(module);
  rhumb::python::BindPopulation(module);
  rhumb::python::BindData(module);
}
