# For `pip install .` where tools/setup unpacked no wheels: takes MuJoCo and Gymnasium's models from the
# packages that pip installed for this build (pyproject.toml).
if(EXISTS "${RHUMB_DEPS_DIR}/mujoco" AND EXISTS "${RHUMB_DEPS_DIR}/gymnasium-assets")
  return()
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
set(script [[
from importlib.util import find_spec
print(*(find_spec(name).submodule_search_locations[0] for name in ("mujoco", "gymnasium")), sep="|", end="")
]])
execute_process(COMMAND "${Python_EXECUTABLE}" -c "${script}" OUTPUT_VARIABLE folders
                COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "|" ";" folders "${folders}")
list(GET folders 0 mujoco)
list(GET folders 1 gymnasium)
file(GLOB library "${mujoco}/libmujoco.so.*")

# Copies, because the packages are gone after the build and the next build starts from here.
set(RHUMB_DEPS_DIR "${PROJECT_BINARY_DIR}/deps")
file(COPY "${mujoco}/include" DESTINATION "${RHUMB_DEPS_DIR}/mujoco")
file(COPY "${library}" DESTINATION "${RHUMB_DEPS_DIR}/mujoco/lib")
cmake_path(GET library FILENAME name)
file(CREATE_LINK "${name}" "${RHUMB_DEPS_DIR}/mujoco/lib/libmujoco.so" SYMBOLIC)
file(GLOB models "${gymnasium}/envs/mujoco/assets/*.xml")
file(COPY ${models} DESTINATION "${RHUMB_DEPS_DIR}/gymnasium-assets")
