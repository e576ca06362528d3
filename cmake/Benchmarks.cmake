# Programs that the scripts of benchmarks/ build for themselves; no other target needs them.
add_executable(bench_collect EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/benchmarks/datasets/collect.cc")
target_link_libraries(bench_collect PRIVATE rhumb_rollout)
rhumb_relative_rpath(bench_collect "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}")

add_executable(bench_stepping EXCLUDE_FROM_ALL
               "${PROJECT_SOURCE_DIR}/benchmarks/envs/stepping.cc"
               "${PROJECT_SOURCE_DIR}/benchmarks/envs/stepping_script.cc"
               "${PROJECT_SOURCE_DIR}/benchmarks/envs/rhumb_batch.cc"
               "${PROJECT_SOURCE_DIR}/benchmarks/envs/bare_loop.cc")
target_link_libraries(bench_stepping PRIVATE rhumb_sim CLI11::CLI11)
rhumb_relative_rpath(bench_stepping "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}")

add_executable(bench_decoder EXCLUDE_FROM_ALL
               "${PROJECT_SOURCE_DIR}/benchmarks/steering/decoder.cc"
               "${PROJECT_SOURCE_DIR}/tests/support/allocation_count.cc")
target_link_libraries(bench_decoder PRIVATE rhumb_net)

add_executable(bench_steering EXCLUDE_FROM_ALL
               "${PROJECT_SOURCE_DIR}/benchmarks/steering/steering.cc")
target_link_libraries(bench_steering PRIVATE rhumb_steer)

add_executable(bench_rollouts EXCLUDE_FROM_ALL
               "${PROJECT_SOURCE_DIR}/benchmarks/steering/rollouts.cc")
target_link_libraries(bench_rollouts PRIVATE rhumb_rollout)
rhumb_relative_rpath(bench_rollouts "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}")

if(NOT RHUMB_BUILD_LEARN)
  return()
endif()

add_executable(bench_bare_gemm EXCLUDE_FROM_ALL
               "${PROJECT_SOURCE_DIR}/benchmarks/population/bare_gemm.cc")
target_link_libraries(bench_bare_gemm PRIVATE rhumb_settings TorchWheel::TorchWheel Threads::Threads)
rhumb_relative_rpath(bench_bare_gemm "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" ${TorchWheel_LIBRARIES})

add_executable(bench_bare_gemm_step EXCLUDE_FROM_ALL
               "${PROJECT_SOURCE_DIR}/benchmarks/representation/bare_gemm_step.cc")
target_link_libraries(bench_bare_gemm_step PRIVATE rhumb_settings TorchWheel::TorchWheel
                                                   Threads::Threads)
rhumb_relative_rpath(bench_bare_gemm_step "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" ${TorchWheel_LIBRARIES})

foreach(name IN ITEMS representation_step rank_contrast)
  add_executable(bench_${name} EXCLUDE_FROM_ALL
                 "${PROJECT_SOURCE_DIR}/benchmarks/representation/${name}.cc")
  target_link_libraries(bench_${name} PRIVATE rhumb_learn)
  rhumb_relative_rpath(bench_${name} "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" ${TorchWheel_LIBRARIES}
                       "${Mujoco_LIBRARY}")
endforeach()
