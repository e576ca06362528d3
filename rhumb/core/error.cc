#include "rhumb/core/error.h"

#include <cstdio>
#include <cstdlib>

namespace rhumb::core {

void AbortOnBug(const char* condition, const char* file, int line, const std::string& message) {
  std::fprintf(stderr, "rhumb: a bug in Rhumb: %s (%s is false at %s:%d)\n", message.c_str(),
               condition, file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace rhumb::core
