// After warm-up, a batch allocates nothing, neither here nor inside MuJoCo.
#include <gtest/gtest.h>

#include "rhumb/core/math/random.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"
#include "tests/support/allocation_count.h"

namespace rhumb::sim {
namespace {

TEST(Allocation, StepsAndRestartsAllocateNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  for (const char* id :
       {"mo-halfcheetah-v5", "mo-hopper-v5", "mo-walker2d-v5", "mo-ant-v5", "mo-humanoid-v5",
        "point-v0", "reacher-v5", "pusher-v5", "inverted-double-pendulum-v5"}) {
    const Environment environment(FindBundle(id));
    Batch batch(environment, {.count = 4, .threads = 2});
    batch.Reset();
    core::Stream noise(1, core::Purpose::kAction);
    std::vector<double> actions(static_cast<std::size_t>(4 * environment.action_size()));
    const auto step = [&] {
      for (double& action : actions) action = noise.Uniform(-1, 1);
      batch.Step(actions);
    };
    for (int i = 0; i < 100; ++i) step();  // warm-up
    const test::AllocationCount count;
    int restarts = 0;
    for (int i = 0; i < 200; ++i) {
      step();
      for (const StepOutcome& outcome : batch.outcomes()) restarts += outcome.ended();
    }
    EXPECT_EQ(count.since_construction(), 0u) << id;
    // Falling robots have restarted in the meantime.
    EXPECT_TRUE(restarts > 0 || std::string(id) != "mo-hopper-v5");
  }
}

}  // namespace
}  // namespace rhumb::sim
