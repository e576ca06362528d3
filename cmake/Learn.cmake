# librhumb_learn, the training library. It is shared, and loaded by `rhumb` only for the commands that
# train, because libtorch takes a fifth of a second to load.
find_package(TorchWheel 2.11 REQUIRED)
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rhumb/learn/*.cc")
add_library(rhumb_learn SHARED ${sources})
target_link_libraries(rhumb_learn PUBLIC rhumb_settings TorchWheel::TorchWheel)
rhumb_relative_rpath(rhumb_learn "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}" ${TorchWheel_LIBRARIES})

# Torch's headers are parsed once. ccache needs to be told how to see through a precompiled header.
target_precompile_headers(rhumb_learn PRIVATE <torch/torch.h>)
if(CCACHE)
  target_compile_options(rhumb_learn PRIVATE -fpch-preprocess)
  set_target_properties(
    rhumb_learn PROPERTIES CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CCACHE}")
endif()
set_property(GLOBAL APPEND PROPERTY RHUMB_ROOMS learn)
