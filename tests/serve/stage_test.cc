#include "rhumb/serve/stage.h"

#include <gmock/gmock.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>

#include "rhumb/rollout/code_runner.h"
#include "rhumb/serve/scene.h"
#include "tests/serve/served_point.h"
#include "tests/support/error_expectation.h"

namespace rhumb::serve {
namespace {

using net::RolloutMode;
using nlohmann::json;
using testing::ElementsAreArray;

// Keeps what a stage sends.
class Audience {
 public:
  Stage::Sinks Sinks() {
    return {.frame =
                [this](std::string bytes) {
                  const std::scoped_lock lock(mutex_);
                  std::memcpy(&head_, bytes.data() + 4, sizeof head_);
                  numbers_.resize((bytes.size() - 40) / 4);
                  std::memcpy(numbers_.data(), bytes.data() + 40, 4 * numbers_.size());
                  ++frames_;
                  came_.notify_all();
                },
            .state = [](const std::string&) {}};
  }
  // Waits for a frame that `wanted` accepts.
  template <class Wanted>
  bool Await(Wanted wanted) {
    std::unique_lock lock(mutex_);
    return came_.wait_for(lock, std::chrono::seconds(20), [&] { return wanted(head_); });
  }
  FrameHead head() const {
    const std::scoped_lock lock(mutex_);
    return head_;
  }
  // Realised so far, of lane 0: the values follow the poses.
  std::vector<float> realised() const {
    const std::scoped_lock lock(mutex_);
    const auto first = numbers_.begin() + head_.poses * head_.bodies * 7;
    return {first, first + head_.values / 4};
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable came_;
  FrameHead head_;
  std::vector<float> numbers_;
  int frames_ = 0;
};

class StageTest : public testing::Test {
 protected:
  StageTest() : stage_(point_.subject, audience_.Sinks()) {}
  json State() const { return json::parse(stage_.StateJson()); }

  const ServedPoint point_;
  Audience audience_;
  Stage stage_;
};

TEST_F(StageTest, StandsStillUntilSomebodyWatches) {
  EXPECT_EQ(audience_.head().step, 0u);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_EQ(audience_.head().step, 0u);
  stage_.SetWatched(true);
  EXPECT_TRUE(audience_.Await([](const FrameHead& head) { return head.step >= 2; }));
}

// The stage is the truth: the episode has the returns of a roll-out with the same keys.
TEST_F(StageTest, PlaysWhatARollOutDoes) {
  stage_.Run(true, 16.0);
  stage_.Play(point_.subject->StageRow(0, RolloutMode::kSampled), {.restart = true});
  const int episode = State()["episode"];
  stage_.SetWatched(true);
  for (std::uint32_t step = 1; step <= 100; ++step) {
    stage_.StepOnce();
    ASSERT_TRUE(audience_.Await([&](const FrameHead& head) { return head.step == step; }));
  }
  EXPECT_EQ(audience_.head().ended, 1u);
  EXPECT_EQ(State()["lanes"][0]["steps"], 100);
  // Episode e of code 0 has the keys (seed, 0, e).
  const sim::Environment& environment = point_.subject->environment();
  const auto run = rollout::RollOutCodes(
      environment, point_.subject->model(),
      point_.subject->KnownCodes(RolloutMode::kSampled).code(0),
      {.mode = stage_.mode(), .episodes = episode + 1, .job = {.seed = 0, .quiet = true}});
  for (std::size_t k = 0; k < 2; ++k) {
    // The frame is float32.
    EXPECT_FLOAT_EQ(audience_.realised()[k],
                    static_cast<float>(run->values[static_cast<std::size_t>(episode) * 2 + k]));
  }
  stage_.StepOnce();
  EXPECT_TRUE(audience_.Await([&](const FrameHead& head) {
    return head.step == 0 && head.episode == static_cast<std::uint32_t>(episode) + 1;
  })) << "an episode that has ended begins again";
}

TEST_F(StageTest, ComparesFromTheSameStart) {
  stage_.Run(true, std::nullopt);
  stage_.SetWatched(true);
  stage_.Play(point_.subject->StageRow(0, RolloutMode::kSampled), {.restart = true});
  stage_.Play(point_.subject->StageRow(0, RolloutMode::kSampled), {.lane = 1});
  EXPECT_EQ(State()["lanes"].size(), 2u);
  EXPECT_EQ(audience_.head().lanes, 2u);
  stage_.StepOnce();
  ASSERT_TRUE(audience_.Await([](const FrameHead& head) { return head.step == 1; }));
  stage_.Clear(1);
  EXPECT_EQ(State()["lanes"].size(), 1u);
  stage_.Clear(0);
  EXPECT_EQ(State()["lanes"].size(), 1u) << "lane 0 always plays";
}

// Only the row that acts goes on without a change.
TEST_F(StageTest, TriesWhatTakesOverBest) {
  stage_.Run(true, std::nullopt);
  stage_.SetWatched(true);
  const std::vector<Behaviour> rows = {point_.subject->StageRow(0, RolloutMode::kSampled),
                                       point_.subject->StageRow(1, RolloutMode::kSampled)};
  const auto never = [] { return false; };
  for (const std::size_t row : {0u, 1u}) {
    stage_.Play(rows[row], {.restart = true});
    for (std::uint32_t step = 1; step <= 20; ++step) {
      stage_.StepOnce();
      ASSERT_TRUE(audience_.Await([&](const FrameHead& head) { return head.step == step; }));
    }
    EXPECT_EQ(stage_.TryTakeover(rows, {}, never), row);
  }
  EXPECT_EQ(audience_.head().step, 20u) << "trying moves nothing";
  EXPECT_EQ(stage_.TryTakeover(rows, {.restart = true}, never), 0u);
  EXPECT_EQ(stage_.TryTakeover(rows, {.lane = 1}, never), 0u) << "nobody acts there";
  EXPECT_EQ(stage_.TryTakeover(rows, {}, [] { return true; }), std::nullopt);
}

// Without the push, row 0 goes on without a change. In the tries nothing would end the push.
TEST_F(StageTest, APushDoesNotLastInTheTries) {
  stage_.Run(true, std::nullopt);
  stage_.SetWatched(true);
  const std::vector<Behaviour> rows = {point_.subject->StageRow(1, RolloutMode::kSampled),
                                       point_.subject->StageRow(0, RolloutMode::kSampled)};
  stage_.Play(rows[1], {.restart = true});
  for (std::uint32_t step = 1; step <= 20; ++step) {
    if (step == 20) stage_.Push(0, 1, {-0.5, 0, 0});
    stage_.StepOnce();
    ASSERT_TRUE(audience_.Await([&](const FrameHead& head) { return head.step == step; }));
  }
  EXPECT_EQ(stage_.TryTakeover(rows, {}, [] { return false; }), 1u);
}

TEST_F(StageTest, FollowsASchedule) {
  stage_.Run(true, std::nullopt);
  stage_.SetWatched(true);
  std::vector<ScheduledStage> schedule(2);
  schedule[0].staged = point_.subject->StageRow(0, RolloutMode::kSampled);
  schedule[1] = {2, 0, point_.subject->StageRow(1, RolloutMode::kSampled)};
  stage_.Follow(0, schedule);
  const auto code = [&] { return State()["lanes"][0]["code"].get<std::vector<float>>(); };
  EXPECT_THAT(code(), ElementsAreArray(schedule[0].staged.code));
  for (std::uint32_t step = 1; step <= 3; ++step) {
    stage_.StepOnce();
    ASSERT_TRUE(audience_.Await([&](const FrameHead& head) { return head.step == step; }));
  }
  EXPECT_THAT(code(), ElementsAreArray(schedule[1].staged.code));
  stage_.Restart(5);
  EXPECT_THAT(code(), ElementsAreArray(schedule[0].staged.code));
  EXPECT_EQ(State()["seed"], 5);
}

TEST_F(StageTest, PushesABody) {
  EXPECT_THAT(test::ErrorOf([&] {
                stage_.Push(0, 99, {1, 0, 0});
              }),
              testing::HasSubstr("the robot has the bodies 0 to"));
  stage_.Run(true, std::nullopt);
  stage_.SetWatched(true);
  const auto speed_after_a_step = [&](double force) {
    stage_.Restart(1);
    if (force != 0) stage_.Push(0, 1, {force, 0, 0});
    stage_.StepOnce();
    EXPECT_TRUE(audience_.Await([](const FrameHead& head) { return head.step == 1; }));
    return audience_.realised()[0];
  };
  const float alone = speed_after_a_step(0);
  EXPECT_GT(speed_after_a_step(50), alone + 0.1F);
  EXPECT_EQ(speed_after_a_step(0), alone) << "a push ends with the episode";
}

}  // namespace
}  // namespace rhumb::serve
