#include "rhumb/learn/library.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/headeronly/version.h>

#include <string>

namespace {

// The loaded library must match the headers we compile against.
TEST(Library, ReportsTheTorchItRunsOn) {
  const RhumbLearnInfo* info = DescribeRhumbLearn();
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->abi, kRhumbLearnAbi);
  EXPECT_STREQ(info->torch_version, TORCH_VERSION);
  EXPECT_EQ(info->threads, at::get_num_threads());
  EXPECT_STRNE(info->cpu_capability, "");
}

// [1 2; 3 4] [5 6; 7 8] = [19 22; 43 50]: headers, standard library and torch agree on a tensor.
TEST(Library, TorchMultipliesMatrices) {
  const at::Tensor a = at::tensor({1.0, 2.0, 3.0, 4.0}).reshape({2, 2});
  const at::Tensor b = at::tensor({5.0, 6.0, 7.0, 8.0}).reshape({2, 2});
  const at::Tensor expected = at::tensor({19.0, 22.0, 43.0, 50.0}).reshape({2, 2});
  EXPECT_TRUE(at::equal(at::matmul(a, b), expected)) << at::matmul(a, b);
}

// The exit code and its message.
std::string Answer(const char* command, const char* request) {
  char message[1000];
  const int code = DescribeRhumbLearn()->run(
      command, request, [] { return 0; }, message, sizeof message);
  return std::to_string(code) + ": " + message;
}

TEST(Library, BadRequestsAreSaid) {
  EXPECT_EQ(Answer("model fly", "{}"), "2: librhumb_learn has no command 'model fly'");
  EXPECT_EQ(Answer("population train", R"({"config": {"ppo": {"epocs": 1}}})"),
            "2: the request: unknown key 'config.ppo.epocs'; did you mean 'config.ppo.epochs'?");
  EXPECT_EQ(Answer("model train", R"({"device": "gpu"})"),
            "2: the request: device = 'gpu' is not allowed (cpu | cuda)");
  EXPECT_EQ(Answer("model train", R"({"job": {"threads": 0}})"),
            "2: the request: job.threads = 0 is not allowed (1 to 1024)");
  EXPECT_TRUE(Answer("model train", "{").starts_with("1: ")) << "not JSON: our bug";
}

}  // namespace
