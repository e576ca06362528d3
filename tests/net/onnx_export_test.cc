#include "rhumb/net/onnx_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::net {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// tests/python/onnx_test.py runs the files and compares their numbers with the runtime's.
TEST(ExportOnnx, TheCodeIsAnInputOrInside) {
  for (const DeviationSource source : {DeviationSource::kStateAndCode, DeviationSource::kCode}) {
    const Model model = SampleModel({.deviation_source = source});
    const std::string open = ExportOnnx(model, {}, {});
    const std::vector<float> code(static_cast<std::size_t>(model.code_size()), 0.25f);
    const std::string closed = ExportOnnx(model, code, {});
    EXPECT_THAT(open, HasSubstr("observation"));
    EXPECT_THAT(open, HasSubstr("log_std"));
    EXPECT_THAT(closed, HasSubstr(std::string("\x00\x00\x80\x3e\x00\x00\x80\x3e", 8)));
    EXPECT_THAT(open, Not(HasSubstr(std::string("\x00\x00\x80\x3e\x00\x00\x80\x3e", 8))));
  }
}

TEST(ExportOnnx, ACodeMustFit) {
  const Model model = SampleModel();
  EXPECT_THAT(test::ErrorOf([&] {
                ExportOnnx(model, std::vector<float>{1, 2}, {});
              }),
              HasSubstr("a code of 2 numbers; the model's codes have 6"));
  std::vector<float> code(6, 0);
  code[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(test::ErrorOf([&] { ExportOnnx(model, code, {}); }),
              HasSubstr("number 3 of the code"));
}

}  // namespace
}  // namespace rhumb::net
