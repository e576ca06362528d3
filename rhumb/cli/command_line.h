// The whole command line: parses it, runs the requested command, and turns failures into a
// sentence on stderr and an exit code.
#pragma once

namespace rhumb::cli {

// Returns one of the codes in exit_code.h.
int RunCommandLine(int argc, char** argv);

}  // namespace rhumb::cli
