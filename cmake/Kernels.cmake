# The kernels of each instruction set are a source of their own, compiled with its flags; those of
# other architectures are left out. rhumb/net/kernels.cc picks among them when the program starts.
# Loops with a condition become vectors only where nobody looks at the floating-point exceptions.
function(rhumb_kernels isa processors)
  set(source "${PROJECT_SOURCE_DIR}/rhumb/net/kernels_${isa}.cc")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "${processors}")
    set_source_files_properties(
      "${source}" PROPERTIES COMPILE_OPTIONS "-fno-trapping-math;${ARGN}" SKIP_PRECOMPILE_HEADERS ON)
  else()
    set_source_files_properties("${source}" PROPERTIES HEADER_FILE_ONLY ON)
  endif()
endfunction()

rhumb_kernels(avx512 "x86_64|AMD64" -march=x86-64-v4)
rhumb_kernels(avx2 "x86_64|AMD64" -march=x86-64-v3)
rhumb_kernels(neon "aarch64|arm64")
rhumb_kernels(portable ".*")
