// RHUMB_FUZZ_TARGET(name) { … } defines a fuzz target, which gets `data` and `size`. Alone it is a
// program for libFuzzer (tools/fuzz). In fuzz_tests, with RHUMB_FUZZ_REPLAY, it is a test that runs
// every file of tests/fuzz/corpus/<name>.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef RHUMB_FUZZ_REPLAY

#include <gtest/gtest.h>

namespace rhumb::fuzz {
using Target = void(const std::uint8_t* data, std::size_t size);
void Replay(const char* name, Target* target);
}  // namespace rhumb::fuzz

#define RHUMB_FUZZ_TARGET(name)                                       \
  static void Run_##name(const std::uint8_t* data, std::size_t size); \
  TEST(Corpus, name) { ::rhumb::fuzz::Replay(#name, Run_##name); }    \
  static void Run_##name([[maybe_unused]] const std::uint8_t* data,   \
                         [[maybe_unused]] std::size_t size)

#else

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

#define RHUMB_FUZZ_TARGET(name)                                            \
  static void Run(const std::uint8_t* data, std::size_t size);             \
  int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    Run(data, size);                                                       \
    return 0;                                                              \
  }                                                                        \
  static void Run([[maybe_unused]] const std::uint8_t* data, [[maybe_unused]] std::size_t size)

#endif
