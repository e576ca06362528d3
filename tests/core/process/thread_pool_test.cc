#include "rhumb/core/process/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"

namespace rhumb::core {
namespace {

class ThreadPoolTest : public testing::TestWithParam<int> {};

TEST_P(ThreadPoolTest, RunsEveryIndexOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const int count : {0, 1, 2, 7, 1000}) {
    std::vector<int> runs(static_cast<std::size_t>(count), 0);
    pool.ParallelFor(count, [&](std::int64_t i, int) { ++runs[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(runs, std::vector<int>(static_cast<std::size_t>(count), 1));
  }
}

TEST_P(ThreadPoolTest, ManyShortLoopsInARow) {
  ThreadPool pool(GetParam());
  // One non-atomic slot per worker: concurrent tasks never share a worker.
  std::vector<std::int64_t> sums(static_cast<std::size_t>(GetParam()), 0);
  for (int loop = 0; loop < 5000; ++loop) {
    pool.ParallelFor(
        4, [&](std::int64_t i, int worker) { sums[static_cast<std::size_t>(worker)] += i + 1; });
  }
  std::int64_t total = 0;
  for (const std::int64_t sum : sums) total += sum;
  EXPECT_EQ(total, 5000 * 10);
}

TEST_P(ThreadPoolTest, WakesThreadsThatSleep) {
  ThreadPool pool(GetParam());
  for (int loop = 0; loop < 20; ++loop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    // Ends only if every thread arrives.
    std::atomic<int> arrived{0};
    pool.ParallelFor(GetParam(), [&](std::int64_t, int) {
      ++arrived;
      while (arrived < GetParam()) std::this_thread::yield();
    });
    EXPECT_EQ(arrived, GetParam());
  }
}

TEST_P(ThreadPoolTest, CallerSleepsUntilASlowTaskEnds) {
  ThreadPool pool(GetParam());
  std::atomic<int> ended{0};
  pool.ParallelFor(GetParam(), [&](std::int64_t, int worker) {
    if (worker > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++ended;
  });
  EXPECT_EQ(ended, GetParam());
}

TEST_P(ThreadPoolTest, RethrowsTheExceptionOfTheLowestIndexAfterAllHaveRun) {
  ThreadPool pool(GetParam());
  for (int loop = 0; loop < 50; ++loop) {
    std::atomic<int> runs{0};
    std::string message;
    try {
      pool.ParallelFor(40, [&](std::int64_t i, int) {
        ++runs;
        if (i % 10 == 3) throw std::runtime_error("index " + std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, "index 3");
    EXPECT_EQ(runs, 40);
  }
  // The failed loop leaves no state behind.
  int runs = 0;
  pool.ParallelFor(1, [&](std::int64_t, int) { ++runs; });
  EXPECT_EQ(runs, 1);
}

TEST_P(ThreadPoolTest, LoopsDoNotAllocate) {
  ThreadPool pool(GetParam());
  std::atomic<std::int64_t> sum{0};
  const auto loop = [&] { pool.ParallelFor(16, [&](std::int64_t i, int) { sum += i; }); };
  // All threads have started once each has taken part.
  std::atomic<int> arrived{0};
  pool.ParallelFor(GetParam(), [&](std::int64_t, int) {
    ++arrived;
    while (arrived < GetParam()) std::this_thread::yield();
  });
  const test::AllocationCount count;
  for (int i = 0; i < 1000; ++i) loop();
  EXPECT_EQ(count.since_construction(), 0u);
  EXPECT_EQ(sum, 1000 * 120);
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, testing::Values(1, 2, 5));

TEST(ThreadPool, NeedsAThread) {
  EXPECT_EQ(test::ErrorOf([] { ThreadPool pool(0); }), "a pool needs at least 1 thread, not 0");
}

TEST(ThreadPoolDeathTest, RefusesToNest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        ThreadPool pool(2);
        ThreadPool other(1);
        pool.ParallelFor(
            2, [&](std::int64_t, int) { other.ParallelFor(1, [](std::int64_t, int) {}); });
      },
      "from inside a task");
}

TEST(ThreadPoolDeathTest, RefusesTwoCallersAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        ThreadPool pool(1);
        std::atomic<bool> begun{false};
        std::thread first([&] {
          pool.ParallelFor(1, [&](std::int64_t, int) {
            begun = true;
            while (begun) std::this_thread::yield();
          });
        });
        while (!begun) std::this_thread::yield();
        pool.ParallelFor(1, [](std::int64_t, int) {});
      },
      "two threads called ParallelFor");
}

}  // namespace
}  // namespace rhumb::core
