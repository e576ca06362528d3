#include <cstdio>
#include <cstdlib>

#include "rhumb/cli/command_line.h"

int main(int argc, char** argv) {
  const int code = rhumb::cli::RunCommandLine(argc, argv);
  std::fflush(nullptr);
  // Threads of libtorch and CUDA, where they were loaded, outlive main: destroying static objects
  // under them ends in a crash now and then.
  std::_Exit(code);
}
