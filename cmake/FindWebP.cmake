# Finds libwebp, whose Debian package has no CMake files. Defines WebP::WebP, which writes still and
# animated pictures, and WebP::Demux, which reads them.
find_path(WebP_INCLUDE_DIR webp/mux.h)
foreach(part IN ITEMS webp webpmux webpdemux)
  find_library(WebP_${part}_LIBRARY ${part})
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WebP REQUIRED_VARS WebP_webp_LIBRARY WebP_webpmux_LIBRARY
                                                     WebP_webpdemux_LIBRARY WebP_INCLUDE_DIR)

if(WebP_FOUND AND NOT TARGET WebP::WebP)
  add_library(WebP::WebP INTERFACE IMPORTED)
  target_include_directories(WebP::WebP INTERFACE "${WebP_INCLUDE_DIR}")
  target_link_libraries(WebP::WebP INTERFACE "${WebP_webpmux_LIBRARY}" "${WebP_webp_LIBRARY}")
  add_library(WebP::Demux INTERFACE IMPORTED)
  target_link_libraries(WebP::Demux INTERFACE "${WebP_webpdemux_LIBRARY}" WebP::WebP)
endif()
