#include <cstdio>
#include <cstdlib>

#include "rhumb/cli/command_line.h"

int main(int argc, char** argv) {
  const int code = rhumb::cli::RunCommandLine(argc, argv);
  std::fflush(nullptr);
  // Threads of libtorch and CUDA, if loaded, outlive main. Destroying static objects under them
  // occasionally crashes.
  std::_Exit(code);
}
