# The Python package: python/rhumb with the extension rhumb._core from the room python. In a build
# tree it stands in <build>/python, which is a folder for PYTHONPATH.
#
#   pip install .                                              builds and installs it
#   cmake --install BUILD --component python --prefix FOLDER   puts it into FOLDER
if(NOT SKBUILD AND EXISTS "${RHUMB_DEPS_DIR}/oracle/bin/python")
  set(Python_EXECUTABLE "${RHUMB_DEPS_DIR}/oracle/bin/python")
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
if(EXISTS "${RHUMB_DEPS_DIR}/nanobind")
  set(nanobind_DIR "${RHUMB_DEPS_DIR}/nanobind/cmake")
else()
  execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
                  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_DIR
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
find_package(nanobind 3.1 CONFIG REQUIRED)

set(package_dir "${PROJECT_BINARY_DIR}/python/rhumb")
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rhumb/python/*.cc")
nanobind_add_module(rhumb_python NB_STATIC NB_DOMAIN rhumb NB_SUPPRESS_WARNINGS NOMINSIZE ${sources})
set_target_properties(rhumb_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY "${package_dir}")
target_link_libraries(rhumb_python PRIVATE rhumb_population rhumb_rollout rhumb_ground rhumb_steer)
# Of the zoo only this is used; the whole room stands on eval and report, half of the time of a build.
target_sources(rhumb_python PRIVATE "${PROJECT_SOURCE_DIR}/rhumb/zoo/model_place.cc")
target_link_options(rhumb_python PRIVATE -Wl,--exclude-libs,ALL)
# rhumb/python/older_libstdcxx.cc says why.
target_link_options(rhumb_python PRIVATE
                    -Wl,--wrap=_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE)
# The bindings have no hot loop.
target_compile_options(rhumb_python PRIVATE $<$<CONFIG:Release>:-O1>)
if(RHUMB_UNITY)
  set_target_properties(rhumb_python PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
endif()

# Installed, libmujoco is that of the wheel mujoco-core, so that one process has one MuJoCo.
file(RELATIVE_PATH mujoco_dir "${package_dir}" "${Mujoco_LIBRARY}/..")
set_target_properties(rhumb_python PROPERTIES INSTALL_RPATH "$ORIGIN/../mujoco;$ORIGIN/${mujoco_dir}")
if(SKBUILD)
  set_target_properties(rhumb_python PROPERTIES INSTALL_RPATH "$ORIGIN/../mujoco")
endif()

# In the build tree, the package's own files are links to the sources.
file(GLOB package_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/rhumb/*")
file(MAKE_DIRECTORY "${package_dir}")
foreach(file IN LISTS package_files)
  cmake_path(GET file FILENAME name)
  file(CREATE_LINK "${file}" "${package_dir}/${name}" SYMBOLIC)
endforeach()
file(CREATE_LINK "../../share" "${package_dir}/share" SYMBOLIC)
add_dependencies(rhumb_python rhumb_share_envs rhumb_share_examples rhumb_share_pictures rhumb_share_zoo)

install(TARGETS rhumb_python LIBRARY DESTINATION rhumb COMPONENT python)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/rhumb" DESTINATION . COMPONENT python
        PATTERN __pycache__ EXCLUDE)
install(DIRECTORY "${PROJECT_BINARY_DIR}/share/rhumb" DESTINATION rhumb/share COMPONENT python)
