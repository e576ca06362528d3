# How our own code is compiled. Third-party headers come in as SYSTEM, so its warnings are ours alone.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
# A build tree may be moved together with .deps: the rpaths are relative and written out in full.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

# ccache sees through precompiled headers only with this sloppiness. Its depend mode takes the list of
# headers from the compiler, so a miss costs no extra preprocessing.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_DEPEND=true
      CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
endif()

add_library(rhumb_settings INTERFACE)
target_include_directories(rhumb_settings INTERFACE "${PROJECT_SOURCE_DIR}")
target_include_directories(rhumb_settings SYSTEM BEFORE INTERFACE "${PROJECT_SOURCE_DIR}/cmake/include")
# GCC 12 sees uninitialised memory in its own inlined strings and variants, so that one is off.
# No fused multiply-add across expressions: results agree between builds and with the oracle.
target_compile_options(rhumb_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror
                                                -Wno-maybe-uninitialized -ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(rhumb_settings INTERFACE -march=x86-64-v3)
endif()
if(CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(rhumb_settings INTERFACE -fpch-preprocess)
endif()
if(RHUMB_SANITIZE)
  target_compile_options(rhumb_settings INTERFACE -fsanitize=${RHUMB_SANITIZE}
                                                  -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(rhumb_settings INTERFACE -fsanitize=${RHUMB_SANITIZE})
endif()

# Sets `target`'s rpath to the folders of the given libraries, relative to the target's own folder.
function(rhumb_relative_rpath target own_dir)
  foreach(library IN LISTS ARGN)
    cmake_path(GET library PARENT_PATH library_dir)
    file(RELATIVE_PATH relative "${own_dir}" "${library_dir}")
    list(APPEND rpath "$ORIGIN/${relative}")
  endforeach()
  list(REMOVE_DUPLICATES rpath)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
endfunction()
