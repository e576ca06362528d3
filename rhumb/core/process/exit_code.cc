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
  // A full disk, or a file of the user's in the way. Its own text names a C++ function.
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&problem)) {
    const std::string name = file->path1().string();
    return {kBadInput, (name.empty() ? "" : name + ": ") + file->code().message()};
  }
  const bool is_of_the_machine = dynamic_cast<const Error*>(&problem) != nullptr ||
                                 dynamic_cast<const std::system_error*>(&problem) != nullptr;
  return {is_of_the_machine ? kBadInput : kOurBug, std::string(message)};
}

}  // namespace rhumb::core
