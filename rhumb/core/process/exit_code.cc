#include "rhumb/core/process/exit_code.h"

#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include "rhumb/core/error.h"

namespace rhumb::core {

CommandFailed EndingOf(const std::exception& problem) {
  const std::string_view message = problem.what();
  // libtorch has no type of its own for it.
  const bool is_out_of_memory = dynamic_cast<const std::bad_alloc*>(&problem) != nullptr ||
                                message.find("can't allocate memory") != message.npos;
  if (is_out_of_memory) return {kBadInput, "out of memory"};
  // filesystem_error is a system_error: a full disk, or a file of the user's in the way.
  const bool is_of_the_machine = dynamic_cast<const Error*>(&problem) != nullptr ||
                                 dynamic_cast<const std::system_error*>(&problem) != nullptr;
  return {is_of_the_machine ? kBadInput : kOurBug, std::string(message)};
}

}  // namespace rhumb::core
