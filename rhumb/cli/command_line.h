// The whole command line: parses, runs the one command that was asked for, and turns what went
// wrong into a sentence on stderr and an exit code.
#pragma once

namespace rhumb::cli {

// Returns one of exit_code.h.
int RunCommandLine(int argc, char** argv);

}  // namespace rhumb::cli
