#include "rhumb/core/process/exit_code.h"

#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace {

// A part of libtorch's message about something that the machine could not do, and ours. It cannot
// create a primitive if it gets no memory for the machine code of an operation.
constexpr std::pair<std::string_view, std::string_view> kMachineProblemsOfTorch[] = {
    {"can't allocate memory", "out of memory"},
    {"could not create a primitive", "out of memory for torch's machine code"},
    {"Unable to open /dev/urandom", "torch cannot open /dev/urandom"},
};

}  // namespace

CommandFailed EndingOf(const std::exception& problem) {
  const std::string_view message = problem.what();
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr) return {kBadInput, "out of memory"};
  // libtorch has no types of its own for these.
  for (const auto& [theirs, ours] : kMachineProblemsOfTorch) {
    if (message.find(theirs) != message.npos) return {kBadInput, std::string(ours)};
  }
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
