#include "rhumb/cli/command_line.h"

int main(int argc, char** argv) { return rhumb::cli::RunCommandLine(argc, argv); }
