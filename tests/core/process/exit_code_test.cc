#include "rhumb/core/process/exit_code.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace {

TEST(ExitCode, WhatTheMachineCannotDoIsNotOurBug) {
  EXPECT_EQ(EndingOf(Error("a")).code, kBadInput);
  EXPECT_EQ(EndingOf(Error("a")).message, "a");
  EXPECT_EQ(EndingOf(std::bad_alloc()).code, kBadInput);
  EXPECT_EQ(EndingOf(std::bad_alloc()).message, "out of memory");
  // As libtorch says it.
  EXPECT_EQ(EndingOf(std::runtime_error("[enforce fail at alloc_cpu.cpp:127] err == 0. "
                                        "DefaultCPUAllocator: can't allocate memory: you tried"))
                .message,
            "out of memory");
  EXPECT_EQ(EndingOf(std::runtime_error("could not create a primitive")).code, kBadInput);
  const auto closed = EndingOf(std::runtime_error(
      "Unable to open /dev/urandom\nException raised from readURandomLong at GeneratorImpl.cpp"));
  EXPECT_EQ(closed.code, kBadInput);
  EXPECT_EQ(closed.message, "torch cannot open /dev/urandom");
  const auto full = std::make_error_code(std::errc::no_space_on_device);
  EXPECT_EQ(EndingOf(std::filesystem::filesystem_error("copy", full)).code, kBadInput);
  EXPECT_EQ(EndingOf(std::filesystem::filesystem_error("copy", "a/b", full)).message,
            "a/b: No space left on device");
  EXPECT_EQ(EndingOf(std::system_error(full)).code, kBadInput);
}

TEST(ExitCode, AnythingElseIs) {
  EXPECT_EQ(EndingOf(std::logic_error("a")).code, kOurBug);
  EXPECT_EQ(EndingOf(std::runtime_error("a")).message, "a");
}

}  // namespace
}  // namespace rhumb::core
