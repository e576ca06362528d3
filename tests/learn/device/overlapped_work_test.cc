#include "rhumb/learn/device/overlapped_work.h"

#include <gtest/gtest.h>

#include <string>

namespace rhumb::learn::device {
namespace {

TEST(OverlappedWork, RunsAtOnceOnTheCpu) {
  OverlappedWork side(torch::kCPU);
  std::string order;
  for (const char* name : {"a", "b"}) {
    side.Begin([&] { order += name; });
    order += ".";
    side.Join();
  }
  EXPECT_EQ(order, "a.b.");
}

}  // namespace
}  // namespace rhumb::learn::device
