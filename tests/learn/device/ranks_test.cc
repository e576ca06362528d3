#include "rhumb/learn/device/ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/error_expectation.h"

namespace rhumb::learn::device {
namespace {

void SetPlace(int rank, int count, int port) {
  setenv("RANK", std::to_string(rank).c_str(), 1);
  setenv("WORLD_SIZE", std::to_string(count).c_str(), 1);
  setenv("MASTER_ADDR", "127.0.0.1", 1);
  setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
}

TEST(Ranks, OneProcessChangesNothing) {
  const Ranks alone;
  EXPECT_EQ(alone.count(), 1);
  EXPECT_TRUE(alone.is_first());
  const Ranks::Share share = alone.ShareOf(7);
  EXPECT_EQ(share.first, 0);
  EXPECT_EQ(share.count, 7);
  EXPECT_EQ(share.weight, 1);
  const torch::Tensor values = torch::arange(6, torch::kFloat32).view({1, 3, 2});
  const std::vector<torch::Tensor> sums = {values};
  alone.Sum(sums);
  EXPECT_TRUE(alone.GatherRows(values).is_same(values));
  EXPECT_EQ(values[0][2][1].item<float>(), 5);
  EXPECT_TRUE(alone.Any(true));
  EXPECT_FALSE(alone.Any(false));
}

TEST(Ranks, BadVariablesAreErrors) {
  SetPlace(0, 2, 29500);
  unsetenv("MASTER_PORT");
  const auto error = [] { return test::ErrorOf([] { Ranks::Join(Device::kCpu); }); };
  EXPECT_THAT(error(), testing::HasSubstr("MASTER_PORT is missing"));
  SetPlace(2, 2, 29500);
  EXPECT_THAT(error(), testing::HasSubstr("RANK is '2', not a number from 0 to 1"));
  setenv("WORLD_SIZE", "two", 1);
  EXPECT_THAT(error(), testing::HasSubstr("WORLD_SIZE is 'two'"));
}

// What rank r of 2 sees. Its tensors are 1 + r and 10 (1 + r); its rows are 2 r and 2 r + 1.
bool WorksOnRank(int rank) {
  const Ranks ranks = Ranks::Join(Device::kCpu);
  bool works = ranks.rank() == rank && ranks.count() == 2 && ranks.is_first() == (rank == 0);
  const Ranks::Share share = ranks.ShareOf(8);
  works &= share.first == 4 * rank && share.count == 4 && share.weight == 0.5;

  const std::vector<torch::Tensor> tensors = {torch::full({3}, 1.0f + static_cast<float>(rank)),
                                              torch::full({2, 2}, 10.0f * (1 + rank))};
  ranks.Sum(tensors);
  works &= (tensors[0] == 3).all().item<bool>() && (tensors[1] == 30).all().item<bool>();

  const torch::Tensor own =
      (torch::arange(2, torch::kFloat32) + 2 * rank).view({1, 2, 1}).requires_grad_();
  const torch::Tensor all = ranks.GatherRows(own);
  works &= (all.view({-1}) == torch::arange(4, torch::kFloat32)).all().item<bool>();
  all.square().sum().backward();  // 2 x at this rank's rows
  works &= (own.grad() == 2 * own).all().item<bool>();

  works &= ranks.Any(rank == 1) && !ranks.Any(false);
  works &= test::ErrorOf([&] { ranks.ShareOf(5); }).starts_with("2 ranks cannot share 5 contexts");
  return works;
}

TEST(Ranks, TwoProcessesSumAndGather) {
  const int port = 12000 + getpid() % 10000;
  const pid_t other = fork();
  ASSERT_GE(other, 0);
  SetPlace(other == 0 ? 1 : 0, 2, port);
  if (other == 0) _exit(WorksOnRank(1) ? 0 : 1);
  EXPECT_TRUE(WorksOnRank(0));
  int status = 1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
}

// A single rank that has joined goes through the exchange, so that one GPU is enough to try NCCL.
TEST(Ranks, OneRankSumsAndGathersItsOwn) {
  SetPlace(0, 1, 22000 + getpid() % 10000);
  const Ranks joined = Ranks::Join(Device::kCpu);
  const torch::Tensor values = torch::arange(6, torch::kFloat32).view({1, 3, 2});
  const std::vector<torch::Tensor> sums = {values.clone()};
  joined.Sum(sums);
  EXPECT_TRUE(sums[0].equal(values));
  EXPECT_FALSE(joined.GatherRows(values).is_same(values));
  EXPECT_TRUE(joined.GatherRows(values).equal(values));
  EXPECT_TRUE(joined.Any(true));
  EXPECT_FALSE(joined.Any(false));
}

}  // namespace
}  // namespace rhumb::learn::device
