// A shell script in the place of Python, for tests of what the scripts' output is used for.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/scratch_folder.h"

namespace rhumb::report {

// Makes the script the interpreter until the end of the scope. Its options are removed, so $1 is
// the Python script, $2 the document and $3, $4, ... are the outputs.
class ShellPython {
 public:
  explicit ShellPython(const std::string& script) { Use(script); }
  ~ShellPython() { ::unsetenv("RHUMB_PYTHON"); }
  ShellPython(const ShellPython&) = delete;
  ShellPython& operator=(const ShellPython&) = delete;

  void Use(const std::string& script) const {
    const std::filesystem::path file = folder_.Write(
        "python", "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\n" + script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    ::setenv("RHUMB_PYTHON", file.c_str(), 1);
  }
  void UseNone() const { ::setenv("RHUMB_PYTHON", "/nonexistent", 1); }

 private:
  test::ScratchFolder folder_;
};

}  // namespace rhumb::report
