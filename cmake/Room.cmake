# rhumb_unity(<target> <folder>): the sources of each folder below <folder> are one unit, because most of
# the compile time goes into templates that every unit instantiates again, JSON above all.
# RHUMB_UNITY=OFF keeps them apart.
function(rhumb_unity target folder)
  if(NOT RHUMB_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A source counts as a header there, and a header's class should not hold a source's.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH group)
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# rhumb_room(<name> [DEPENDS <room>...] [LIBRARIES <target>...] [HEADERS <header>...] [HEADERS_OF <room>]
#            [COLD] [PAIRS])
#
# Makes the static library rhumb_<name> from the sources of rhumb/<name> and its sub-rooms. main.cc is
# left to its executable, and a folder named cuda to a library of its own.
#
# HEADERS are parsed once for the whole room; HEADERS_OF reuses what another room precompiled. A COLD
# room has no hot loop, so it is compiled with less optimisation, which is quicker. With PAIRS, units
# have two sources each, so that a change in one source recompiles little.
function(rhumb_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;PAIRS" "HEADERS_OF" "DEPENDS;LIBRARIES;HEADERS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rhumb/${name}/*.cc")
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$|/cuda/")
  list(TRANSFORM arg_DEPENDS PREPEND rhumb_)
  add_library(rhumb_${name} STATIC ${sources})
  target_link_libraries(rhumb_${name} PUBLIC rhumb_settings ${arg_DEPENDS} ${arg_LIBRARIES})
  if(arg_PAIRS)
    set_target_properties(rhumb_${name} PROPERTIES UNITY_BUILD ${RHUMB_UNITY} UNITY_BUILD_BATCH_SIZE 2)
  else()
    rhumb_unity(rhumb_${name} "${PROJECT_SOURCE_DIR}/rhumb")
  endif()
  if(arg_COLD)
    target_compile_options(rhumb_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(arg_HEADERS_OF)
    target_precompile_headers(rhumb_${name} REUSE_FROM rhumb_${arg_HEADERS_OF})
  else()
    target_precompile_headers(rhumb_${name} PRIVATE ${arg_HEADERS})
  endif()
  set_property(GLOBAL APPEND PROPERTY RHUMB_ROOMS ${name})
endfunction()
