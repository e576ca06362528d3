# tests/fuzz/<target>_fuzz.cc are libFuzzer programs; tools/fuzz builds and runs them (preset fuzz).
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cc")
add_library(heap_meter OBJECT "${PROJECT_SOURCE_DIR}/tests/fuzz/heap_meter.cc")
target_link_libraries(heap_meter PUBLIC rhumb_settings)
add_custom_target(fuzzers)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM target)
  add_executable(${target} EXCLUDE_FROM_ALL "${source}")
  if(target STREQUAL embed_fuzz)
    target_link_libraries(${target} PRIVATE rhumb_settings rhumb_embed OpenSSL::Crypto)
  else()
    # The rooms that it includes.
    file(STRINGS "${source}" includes REGEX "^#include \"rhumb/")
    list(TRANSFORM includes REPLACE "^#include \"rhumb/([a-z]+)/.*" "rhumb_\\1")
    if(target STREQUAL message_fuzz)  # alone: its room needs the web server
      target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/rhumb/serve/message.cc")
      set(includes rhumb_net)
    endif()
    target_link_libraries(${target} PRIVATE rhumb_core ${includes})
  endif()
  target_link_libraries(${target} PRIVATE heap_meter)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  rhumb_relative_rpath(${target} "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}"
                       "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/librhumb.so")
  add_dependencies(fuzzers ${target})
endforeach()
# The environment that replays are played in, and the model that the embedding library loads.
add_dependencies(fuzzers sample_model rhumb_share_envs)
