// The whole command line: parses, runs the one command that was asked for, and turns what went
// wrong into a sentence on stderr and an exit code.
#pragma once

namespace rhumb::cli {

// 0 done, 2 bad input or usage, 1 our bug.
int RunCommandLine(int argc, char** argv);

}  // namespace rhumb::cli
