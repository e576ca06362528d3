# rhumb_room(<name> [DEPENDS <room>...] [LIBRARIES <target>...])
#
# Makes the static library rhumb_<name> from rhumb/<name>/*.cc; main.cc is left to its executable.
function(rhumb_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES")
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rhumb/${name}/*.cc")
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  list(TRANSFORM arg_DEPENDS PREPEND rhumb_)
  add_library(rhumb_${name} STATIC ${sources})
  target_link_libraries(rhumb_${name} PUBLIC rhumb_settings ${arg_DEPENDS} ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY RHUMB_ROOMS ${name})
endfunction()
