# Finds libtorch, unpacked from its wheel in RHUMB_DEPS_DIR or in a CMAKE_PREFIX_PATH
# that holds a libtorch. (Torch's own CMake package insists on a CUDA toolkit.)
# Defines TorchWheel::TorchWheel, the CPU part, its TorchWheel_LIBRARIES, and TorchWheel_CUDA_LIBRARIES.
set(_hint "${RHUMB_DEPS_DIR}/libtorch")
find_path(TorchWheel_INCLUDE_DIR torch/headeronly/version.h HINTS "${_hint}/include")
find_library(TorchWheel_CPU_LIBRARY torch_cpu HINTS "${_hint}/lib")
find_library(TorchWheel_C10_LIBRARY c10 HINTS "${_hint}/lib")
find_library(TorchWheel_CUDA_LIBRARY torch_cuda HINTS "${_hint}/lib")
find_library(TorchWheel_C10_CUDA_LIBRARY c10_cuda HINTS "${_hint}/lib")
find_library(TorchWheel_CUDART_LIBRARY NAMES libcudart.so.13 cudart HINTS "${_hint}/lib")
set(TorchWheel_LIBRARIES "${TorchWheel_CPU_LIBRARY}" "${TorchWheel_C10_LIBRARY}")
set(TorchWheel_CUDA_LIBRARIES "${TorchWheel_CUDA_LIBRARY}" "${TorchWheel_C10_CUDA_LIBRARY}"
                              "${TorchWheel_CUDART_LIBRARY}")

if(TorchWheel_INCLUDE_DIR)
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS "${TorchWheel_INCLUDE_DIR}/torch/headeronly/version.h" line
         REGEX "#define TORCH_VERSION_${part} ")
    string(REGEX MATCH "[0-9]+$" ${part} "${line}")
  endforeach()
  set(TorchWheel_VERSION "${MAJOR}.${MINOR}.${PATCH}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  TorchWheel
  REQUIRED_VARS TorchWheel_CPU_LIBRARY TorchWheel_C10_LIBRARY TorchWheel_INCLUDE_DIR
  VERSION_VAR TorchWheel_VERSION
  REASON_FAILURE_MESSAGE "Run tools/setup learn: it unpacks the pinned wheel.")

if(TorchWheel_FOUND AND NOT TARGET TorchWheel::TorchWheel)
  add_library(TorchWheel::TorchWheel INTERFACE IMPORTED)
  set_target_properties(
    TorchWheel::TorchWheel
    PROPERTIES INTERFACE_LINK_LIBRARIES "${TorchWheel_LIBRARIES}"
               INTERFACE_COMPILE_DEFINITIONS "_GLIBCXX_USE_CXX11_ABI=1"
               INTERFACE_INCLUDE_DIRECTORIES
               "${TorchWheel_INCLUDE_DIR};${TorchWheel_INCLUDE_DIR}/torch/csrc/api/include")
endif()
