# rhumb_room(<name> [DEPENDS <room>...] [LIBRARIES <target>...] [HEADERS <header>...] [HEADERS_OF <room>] [COLD])
#
# Makes the static library rhumb_<name> from the sources of rhumb/<name> and its sub-rooms. main.cc is
# left to its executable, and a folder named cuda to a library of its own.
#
# HEADERS are parsed once for the whole room; HEADERS_OF reuses what another room precompiled. A COLD
# room runs once per command, so it is compiled quickly rather than to run quickly.
function(rhumb_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD" "HEADERS_OF" "DEPENDS;LIBRARIES;HEADERS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rhumb/${name}/*.cc")
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$|/cuda/")
  list(TRANSFORM arg_DEPENDS PREPEND rhumb_)
  add_library(rhumb_${name} STATIC ${sources})
  target_link_libraries(rhumb_${name} PUBLIC rhumb_settings ${arg_DEPENDS} ${arg_LIBRARIES})
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
