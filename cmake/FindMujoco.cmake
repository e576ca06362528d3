# Finds MuJoCo's C library, unpacked from its wheel in RHUMB_DEPS_DIR or in a CMAKE_PREFIX_PATH.
# Defines Mujoco::Mujoco, Mujoco_LIBRARY and Mujoco_VERSION.
find_path(Mujoco_INCLUDE_DIR mujoco/mujoco.h HINTS "${RHUMB_DEPS_DIR}/mujoco/include")
find_library(Mujoco_LIBRARY mujoco HINTS "${RHUMB_DEPS_DIR}/mujoco/lib")

if(Mujoco_INCLUDE_DIR)
  # mjVERSION_HEADER is major * 1000000 + minor * 1000 + patch.
  file(STRINGS "${Mujoco_INCLUDE_DIR}/mujoco/mujoco.h" line REGEX "#define mjVERSION_HEADER")
  string(REGEX MATCH "[0-9]+" number "${line}")
  math(EXPR major "${number} / 1000000")
  math(EXPR minor "${number} / 1000 % 1000")
  math(EXPR patch "${number} % 1000")
  set(Mujoco_VERSION "${major}.${minor}.${patch}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Mujoco REQUIRED_VARS Mujoco_LIBRARY Mujoco_INCLUDE_DIR VERSION_VAR Mujoco_VERSION
  REASON_FAILURE_MESSAGE "Run ./run once (or tools/setup runtime): it unpacks the pinned wheel.")

if(Mujoco_FOUND AND NOT TARGET Mujoco::Mujoco)
  add_library(Mujoco::Mujoco SHARED IMPORTED)
  set_target_properties(
    Mujoco::Mujoco PROPERTIES IMPORTED_LOCATION "${Mujoco_LIBRARY}"
                              INTERFACE_INCLUDE_DIRECTORIES "${Mujoco_INCLUDE_DIR}")
endif()
