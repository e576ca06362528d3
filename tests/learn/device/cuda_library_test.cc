#include "rhumb/learn/device/cuda_library.h"

#include <gmock/gmock.h>

#include "tests/support/error_expectation.h"

namespace rhumb::learn::device {
namespace {

// The library is looked for beside the code that loads it; here that is the test itself.
TEST(CudaLibrary, SaysHowToBuildIt) {
  const std::string complaint = test::ErrorOf([] { LoadCudaLibrary(); });
  EXPECT_THAT(complaint, testing::HasSubstr("librhumb_cuda.so, which is not built"));
  EXPECT_THAT(complaint, testing::HasSubstr("tools/setup learn"));
  EXPECT_EQ(test::ErrorOf([] { LoadCudaLibrary(); }), complaint) << "a failure is not kept";
}

}  // namespace
}  // namespace rhumb::learn::device
