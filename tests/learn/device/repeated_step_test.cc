#include "rhumb/learn/device/repeated_step.h"

#include <gmock/gmock.h>

#include "tests/support/error_expectation.h"

namespace rhumb::learn::device {
namespace {

TEST(RepeatedStep, CallsItsFunctionEachTime) {
  int calls = 0;
  const auto step = MakeRepeatedStep(torch::kCPU, [&] { ++calls; });
  EXPECT_EQ(calls, 0);
  step->Run();
  step->Run();
  EXPECT_EQ(calls, 2);
}

TEST(RepeatedStep, OnCudaNeedsTheCudaLibrary) {
  EXPECT_THAT(test::ErrorOf([] { MakeRepeatedStep(torch::kCUDA, [] {}); }),
              testing::HasSubstr("librhumb_cuda.so"));
}

}  // namespace
}  // namespace rhumb::learn::device
