# Programs that the scripts of benchmarks/ build for themselves; no other target needs them.
add_executable(bench_bare_gemm EXCLUDE_FROM_ALL
               "${PROJECT_SOURCE_DIR}/benchmarks/population/bare_gemm.cc")
target_link_libraries(bench_bare_gemm PRIVATE rhumb_settings TorchWheel::TorchWheel Threads::Threads)
rhumb_relative_rpath(bench_bare_gemm "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" ${TorchWheel_LIBRARIES})

add_executable(bench_collect EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/benchmarks/datasets/collect.cc")
target_link_libraries(bench_collect PRIVATE rhumb_rollout)
rhumb_relative_rpath(bench_collect "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}")
