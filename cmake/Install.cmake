# librhumb, the embeddable part (core, net and steer), and its CMake package:
#
#   cmake --build BUILD --target rhumb_embed
#   cmake --install BUILD --component embed --prefix PREFIX      then find_package(rhumb), rhumb::rhumb
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The rooms are linked in whole parts as they are needed, and show nothing: the library's interface is
# rhumb/steer/embed.h and the answer.h that it includes.
add_library(rhumb_embed SHARED "${PROJECT_SOURCE_DIR}/rhumb/steer/embed.cc")
set_target_properties(
  rhumb_embed PROPERTIES OUTPUT_NAME rhumb EXPORT_NAME rhumb VERSION ${PROJECT_VERSION}
                         SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(rhumb_embed PRIVATE rhumb_steer)
# Units of their own: embed.cc is part of two libraries, and librhumb does without the log, without
# expressions and without their libraries.
set_source_files_properties("${PROJECT_SOURCE_DIR}/rhumb/steer/embed.cc"
                            "${PROJECT_SOURCE_DIR}/rhumb/core/math/expression.cc"
                            "${PROJECT_SOURCE_DIR}/rhumb/core/process/log.cc"
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_link_options(rhumb_embed PRIVATE -Wl,--as-needed,--exclude-libs,ALL)
if(NOT RHUMB_BUILD_FUZZERS)  # there clang leaves the sanitizers' functions to the program
  target_link_options(rhumb_embed PRIVATE -Wl,--no-undefined)
endif()
target_compile_features(rhumb_embed INTERFACE cxx_std_20)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/rhumb")
install(TARGETS rhumb_embed EXPORT rhumbTargets COMPONENT embed
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/rhumb/steer/answer.h" "${PROJECT_SOURCE_DIR}/rhumb/steer/embed.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/rhumb/steer" COMPONENT embed)
install(EXPORT rhumbTargets NAMESPACE rhumb:: DESTINATION "${package_dir}" COMPONENT embed)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/rhumbConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/rhumbConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/rhumbConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/rhumbConfig.cmake"
              "${PROJECT_BINARY_DIR}/rhumbConfigVersion.cmake"
        DESTINATION "${package_dir}" COMPONENT embed)
