# The `rhumb` binary, and beside it in share/rhumb what it reads at run time.
add_executable(rhumb "${PROJECT_SOURCE_DIR}/rhumb/cli/main.cc")
target_link_libraries(rhumb PRIVATE rhumb_cli)
rhumb_relative_rpath(rhumb "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${Mujoco_LIBRARY}")

# rhumb_share(<folder> [FROM <folder>] <file>...): keeps share/rhumb/<folder> a copy of exactly these
# files, or with FROM of that folder, of which they are all files.
function(rhumb_share folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM" "")
  set(files ${arg_UNPARSED_ARGUMENTS})
  set(copying copy ${files})
  if(arg_FROM)
    set(copying copy_directory "${arg_FROM}")
  endif()
  set(copy "${PROJECT_BINARY_DIR}/share/rhumb/${folder}")
  set(stamp "${PROJECT_BINARY_DIR}/${folder}_files")
  # The list itself is a dependency, so that a file taken away leaves the copy too.
  file(CONFIGURE OUTPUT "${stamp}.txt" CONTENT "${files}\n" @ONLY)
  add_custom_command(
    OUTPUT "${stamp}.stamp"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${copy}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${copy}"
    COMMAND "${CMAKE_COMMAND}" -E ${copying} "${copy}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}.stamp"
    DEPENDS ${files} "${stamp}.txt"
    COMMENT "Copying share/rhumb/${folder}" VERBATIM)
  add_custom_target(rhumb_share_${folder} DEPENDS "${stamp}.stamp")
  add_dependencies(rhumb rhumb_share_${folder})
endfunction()

# Environments: our own specs and models, and the models of the pinned Gymnasium wheel.
file(GLOB env_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/envs/*.toml"
     "${PROJECT_SOURCE_DIR}/envs/*.xml")
foreach(model half_cheetah hopper walker2d_v5 ant humanoid)
  list(APPEND env_files "${RHUMB_DEPS_DIR}/gymnasium-assets/${model}.xml")
endforeach()
rhumb_share(envs ${env_files})

# changed_model(OUT MODEL OLD NEW [OLD NEW]...): a copy of Gymnasium's MODEL.xml as OUT.xml, in which
# every OLD, which must occur, is NEW. The result joins example_files.
function(changed_model out model)
  set(file "${RHUMB_DEPS_DIR}/gymnasium-assets/${model}.xml")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  set(changes ${ARGN})
  while(changes)
    list(POP_FRONT changes old new)
    string(FIND "${text}" "${old}" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "${file} has no '${old}'")
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
  endwhile()
  set(changed "${CMAKE_CURRENT_BINARY_DIR}/models/${out}.xml")
  file(CONFIGURE OUTPUT "${changed}" CONTENT "${text}" @ONLY)
  set(example_files ${example_files} "${changed}" PARENT_SCOPE)
endfunction()

# The examples whose models are Gymnasium's, unchanged or with the joints and motors of PGMORL.
file(GLOB example_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/gymnasium/*.toml"
     "${PROJECT_SOURCE_DIR}/examples/pgmorl/*.toml")
changed_model(pgmorl_hopper hopper
  "<joint armature=\"1\" damping=\"1\" limited=\"true\"/>"
  "<joint armature=\"1\" damping=\"40\" limited=\"false\"/>"
  "ctrlrange=\"-1.0 1.0\" gear=\"200.0\" joint=\"thigh_joint\""
  "ctrlrange=\"-2.0 2.0\" gear=\"200.0\" joint=\"thigh_joint\""
  "ctrlrange=\"-1.0 1.0\" gear=\"200.0\" joint=\"leg_joint\""
  "ctrlrange=\"-2.0 2.0\" gear=\"200.0\" joint=\"leg_joint\""
  "ctrlrange=\"-1.0 1.0\" gear=\"200.0\" joint=\"foot_joint\""
  "ctrlrange=\"-4.0 4.0\" gear=\"300.0\" joint=\"foot_joint\"")
changed_model(pgmorl_walker2d walker2d
  "damping=\".1\"" "damping=\"3.0\"" "density=\"1000\"" "density=\"1500\"")
changed_model(pgmorl_ant ant "gear=\"150\"" "gear=\"100\"")
changed_model(pgmorl_swimmer swimmer "gear=\"150.0\"" "gear=\"300.0\"")
foreach(model half_cheetah humanoid swimmer reacher pusher_v5 inverted_pendulum
              inverted_double_pendulum)
  list(APPEND example_files "${RHUMB_DEPS_DIR}/gymnasium-assets/${model}.xml")
endforeach()
rhumb_share(examples ${example_files})

# The scripts that draw pictures of results, and the template and the data of the page of a report.
file(GLOB picture_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/pictures/*.py"
     "${PROJECT_SOURCE_DIR}/tools/pictures/*.j2" "${PROJECT_SOURCE_DIR}/tools/pictures/*.json")
rhumb_share(pictures ${picture_files})

# The bundled models.
file(GLOB_RECURSE zoo_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/zoo/*")
rhumb_share(zoo FROM "${PROJECT_SOURCE_DIR}/zoo" ${zoo_files})

# The page of `rhumb serve`, built by studio/ and committed.
file(GLOB_RECURSE page_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/studio/dist/*")
rhumb_share(studio FROM "${PROJECT_SOURCE_DIR}/studio/dist" ${page_files})
