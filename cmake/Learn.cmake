# The room learn, and from it librhumb_learn, the training library. `rhumb` loads it only for the
# commands that train, because libtorch takes a fifth of a second to load.
find_package(TorchWheel 2.11 REQUIRED)
# What the room uses; <torch/torch.h> includes far more.
set(torch_headers <torch/autograd.h> <torch/nn/modules/linear.h> <torch/nn/modules/normalization.h>
    <torch/types.h>)
rhumb_room(learn HEADERS ${torch_headers} ${headers} DEPENDS core sim data net population rollout
           LIBRARIES TorchWheel::TorchWheel)

# The largest sub-room is two units.
if(RHUMB_UNITY)
  file(GLOB second_half CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rhumb/learn/representation/[n-z]*.cc")
  set_source_files_properties(${second_half} PROPERTIES UNITY_GROUP learn_representation_second)
endif()

# The tests link the room itself; the library shows nothing but rhumb/learn/library.h.
add_library(rhumb_learn_library SHARED $<TARGET_OBJECTS:rhumb_learn>)
set_target_properties(rhumb_learn_library PROPERTIES OUTPUT_NAME rhumb_learn LINKER_LANGUAGE CXX)
target_link_libraries(rhumb_learn_library PRIVATE rhumb_learn)
target_link_options(rhumb_learn_library PRIVATE -Wl,--no-undefined)
rhumb_relative_rpath(rhumb_learn_library "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}"
                     ${TorchWheel_LIBRARIES} "${Mujoco_LIBRARY}")
add_dependencies(rhumb_learn_library rhumb)

# librhumb_cuda, which librhumb_learn loads for --device cuda. It needs the headers of the CUDA runtime
# and no toolkit; what libtorch_cuda itself needs is looked for when it is loaded.
file(GLOB cuda_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rhumb/learn/device/cuda/*.cc")
add_library(rhumb_cuda SHARED ${cuda_sources})
target_link_libraries(rhumb_cuda PRIVATE rhumb_settings TorchWheel::TorchWheel
                                         ${TorchWheel_CUDA_LIBRARIES})
target_link_options(rhumb_cuda PRIVATE -Wl,--allow-shlib-undefined)
rhumb_relative_rpath(rhumb_cuda "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}" ${TorchWheel_LIBRARIES})
add_dependencies(rhumb_learn_library rhumb_cuda)
