# A small model folder, build/<preset>/sample_model, for what embeds the library: tests and fuzz targets.
add_executable(sample_model_writer EXCLUDE_FROM_ALL
               "${PROJECT_SOURCE_DIR}/tests/steer/sample_model_writer.cc")
target_link_libraries(sample_model_writer PRIVATE rhumb_net)
set(sample "${PROJECT_BINARY_DIR}/sample_model")
add_custom_command(
  OUTPUT "${sample}/manifest.json"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${sample}"
  COMMAND sample_model_writer "${sample}"
  DEPENDS sample_model_writer VERBATIM)
add_custom_target(sample_model DEPENDS "${sample}/manifest.json")
