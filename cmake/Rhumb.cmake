# The `rhumb` binary, and beside it in share/rhumb/envs what it reads at run time.
add_executable(rhumb "${PROJECT_SOURCE_DIR}/rhumb/cli/main.cc")
target_link_libraries(rhumb PRIVATE rhumb_cli)
rhumb_relative_rpath(rhumb "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}")

# Environments: our own specs and models, and the models of the pinned Gymnasium wheel.
set(RHUMB_ENVS_DIR "${PROJECT_BINARY_DIR}/share/rhumb/envs")
file(GLOB env_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/envs/*.toml"
     "${PROJECT_SOURCE_DIR}/envs/*.xml")
foreach(model half_cheetah hopper walker2d_v5 ant humanoid)
  list(APPEND env_files "${RHUMB_DEPS_DIR}/gymnasium-assets/${model}.xml")
endforeach()
# The list itself is a dependency, so that a file taken away leaves the copy too.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/env_files.txt" CONTENT "${env_files}\n" @ONLY)
add_custom_command(
  OUTPUT "${PROJECT_BINARY_DIR}/env_files.stamp"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${RHUMB_ENVS_DIR}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${RHUMB_ENVS_DIR}"
  COMMAND "${CMAKE_COMMAND}" -E copy ${env_files} "${RHUMB_ENVS_DIR}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${PROJECT_BINARY_DIR}/env_files.stamp"
  DEPENDS ${env_files} "${PROJECT_BINARY_DIR}/env_files.txt"
  COMMENT "Copying the environments" VERBATIM)
add_custom_target(rhumb_envs DEPENDS "${PROJECT_BINARY_DIR}/env_files.stamp")
add_dependencies(rhumb rhumb_envs)
