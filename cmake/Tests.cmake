# tests/<room>/*.cc is one GoogleTest binary per room, tests/support/*.cc what several of them share;
# tests/*/*_test.py are run as they are.
include(CTest)
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)

set(test_dir "${PROJECT_BINARY_DIR}/tests")
set(test_environment "RHUMB_BIN=$<TARGET_FILE:rhumb>" "RHUMB_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                     "RHUMB_BUILD_DIR=${PROJECT_BINARY_DIR}" "RHUMB_DEPS_DIR=${RHUMB_DEPS_DIR}"
                     "PYTHONPATH=${PROJECT_BINARY_DIR}/python")
file(MAKE_DIRECTORY "${test_dir}")

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.cc")
list(FILTER sources EXCLUDE REGEX "(_test|sanitizer_options)\\.cc$")
add_library(rhumb_support STATIC ${sources})
target_link_libraries(rhumb_support PUBLIC rhumb_core GTest::gmock GTest::gtest_main
                                           rapidcheck_gtest)
target_compile_options(rhumb_support PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(rhumb_support PRIVATE ${headers} <gmock/gmock.h>)
# Compiled with the sanitizer, which its preprocessor asks for.
add_library(sanitizer_options OBJECT "${PROJECT_SOURCE_DIR}/tests/support/sanitizer_options.cc")
target_link_libraries(sanitizer_options PRIVATE rhumb_settings)

get_property(rooms GLOBAL PROPERTY RHUMB_ROOMS)
foreach(room IN LISTS rooms ITEMS support)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${room}/*_test.cc")
  if(sources)
    add_executable(${room}_tests ${sources})
    target_link_libraries(${room}_tests PRIVATE rhumb_${room} rhumb_support
                                                sanitizer_options)
    rhumb_unity(${room}_tests "${PROJECT_SOURCE_DIR}/tests")
    # As the libraries, whose precompiled headers they use.
    set_target_properties(${room}_tests PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${room}_tests PRIVATE -fPIC)
    # Tests are compiled with less optimisation, which is quicker.
    target_compile_options(${room}_tests PRIVATE $<$<CONFIG:Release>:-O1>)
    if(room STREQUAL learn)
      target_precompile_headers(learn_tests REUSE_FROM rhumb_learn)
    else()
      target_precompile_headers(${room}_tests REUSE_FROM rhumb_support)
    endif()
    # Unit tests read the environments, the zoo and the scripts beside the binary, not the binary.
    add_dependencies(${room}_tests rhumb_share_envs rhumb_share_examples rhumb_share_pictures
                                   rhumb_share_studio rhumb_share_zoo)
    if(room MATCHES "^(cli|pipeline)$")
      add_dependencies(${room}_tests rhumb)
    endif()
    rhumb_relative_rpath(${room}_tests "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}"
                         ${TorchWheel_LIBRARIES})
    if(room STREQUAL learn)
      # Loading torch for each test would take longer than most of them.
      foreach(part RANGE 3)
        add_test(NAME learn.tests_${part} COMMAND learn_tests WORKING_DIRECTORY "${test_dir}")
        set_tests_properties(
          learn.tests_${part}
          PROPERTIES ENVIRONMENT "RHUMB_SOURCE_DIR=${PROJECT_SOURCE_DIR};GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${part}")
      endforeach()
    else()
      gtest_discover_tests(
        ${room}_tests TEST_PREFIX ${room}. WORKING_DIRECTORY "${test_dir}" DISCOVERY_TIMEOUT 60
        PROPERTIES ENVIRONMENT "RHUMB_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
    endif()
  endif()
endforeach()

# The films are looked at.
target_link_libraries(film_tests PRIVATE WebP::Demux)

# What tools/faults preloads.
add_library(fault_injector SHARED "${PROJECT_SOURCE_DIR}/tests/reliability/fault_injector.cc")
target_link_libraries(fault_injector PRIVATE ${CMAKE_DL_LIBS})
# What tests/reliability/schedule_test.py preloads.
add_library(schedule_shaker SHARED "${PROJECT_SOURCE_DIR}/tests/reliability/schedule_shaker.cc")

# The fuzz targets, each on the files of its corpus; tools/fuzz looks for new ones.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*.cc")
add_executable(fuzz_tests ${sources})
target_compile_definitions(fuzz_tests PRIVATE RHUMB_FUZZ_REPLAY)
target_link_libraries(fuzz_tests PRIVATE rhumb_rollout rhumb_steer rhumb_serve GTest::gtest_main
                                         sanitizer_options)
rhumb_unity(fuzz_tests "${PROJECT_SOURCE_DIR}/tests")
set_target_properties(fuzz_tests PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_compile_options(fuzz_tests PRIVATE -fPIC $<$<CONFIG:Release>:-O1>)
target_precompile_headers(fuzz_tests REUSE_FROM rhumb_support)
add_dependencies(fuzz_tests sample_model rhumb_share_envs)
rhumb_relative_rpath(fuzz_tests "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}")
gtest_discover_tests(
  fuzz_tests TEST_PREFIX fuzz. WORKING_DIRECTORY "${test_dir}" DISCOVERY_TIMEOUT 60
  PROPERTIES ENVIRONMENT "RHUMB_SOURCE_DIR=${PROJECT_SOURCE_DIR}")

# The oracle's interpreter where it is set up; a test that needs the oracle says so without it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(python "${RHUMB_DEPS_DIR}/oracle/bin/python")
if(NOT EXISTS "${python}")
  set(python "${Python3_EXECUTABLE}")
endif()
file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/*_test.py")
foreach(script IN LISTS scripts)
  cmake_path(GET script STEM stem)
  cmake_path(GET script PARENT_PATH folder)
  cmake_path(GET folder FILENAME room)
  if(room STREQUAL python AND NOT RHUMB_BUILD_PYTHON)
    continue()
  endif()
  add_test(NAME ${room}.${stem} COMMAND "${python}" "${script}" WORKING_DIRECTORY "${test_dir}")
  # The scripts are the long ones: they start first.
  set_tests_properties(${room}.${stem} PROPERTIES ENVIRONMENT "${test_environment}" COST 100)
endforeach()
# It compiles on all cores if a stamp is stale, so it runs alone, and first.
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
set_tests_properties(reliability.sanitize_test PROPERTIES PROCESSORS ${cores} COST 1000)
