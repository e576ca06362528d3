#include "rhumb/serve/population_subject.h"

#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/serve/scene.h"
#include "rhumb/serve/stage.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_work.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::serve {
namespace {

using net::RolloutMode;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

class PopulationSubjectTest : public testing::Test {
 protected:
  PopulationSubjectTest() { population::WriteSampleWork(out_, environment_, {{1, 0}, {0, 1}}); }
  void Keep(int agent, int iteration, const std::vector<float>& push,
            const std::vector<double>& returns) const {
    population::WriteSamplePolicy(out_, environment_, agent, iteration, push, returns);
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  const test::ScratchFolder scratch_;
  const std::filesystem::path out_ = scratch_.path() / "point.population";
};

TEST_F(PopulationSubjectTest, ListsPoliciesAsTheyAppear) {
  const PopulationSubject subject(out_.string() + ".work");
  EXPECT_EQ(subject.name(), "point.population");
  EXPECT_EQ(json::parse(*subject.Part(""))["kind"], "population");
  EXPECT_EQ(json::parse(*subject.Part("scene"))["bodies"][0], "world");
  EXPECT_FALSE(subject.Part("map/sampled").has_value());
  json list = json::parse(*subject.Part("policies"));
  EXPECT_TRUE(list["training"]);
  EXPECT_EQ(list["agents"].size(), 2u);
  EXPECT_EQ(subject.First(RolloutMode::kSampled).policy, nullptr);

  Keep(1, 5, {1, 0}, {3, -4});
  list = json::parse(*subject.Part("policies"));
  EXPECT_EQ(list["agents"][1]["policies"][0], json({{"iteration", 5}, {"returns", {3.0, -4.0}}}));
  const Behaviour first = subject.First(RolloutMode::kSampled);
  EXPECT_EQ(first.label, "agent 1, iteration 5");
  EXPECT_THAT(first.predicted, ElementsAre(3, -4));
  EXPECT_TRUE(subject.First(RolloutMode::kMean).predicted.empty()) << "training samples actions";
  EXPECT_THAT(test::ErrorOf([&] { subject.StagePolicy(0, 5, RolloutMode::kSampled); }),
              HasSubstr("no policy"));
  EXPECT_THAT(test::ErrorOf([&] { subject.Steer(json::object(), {}, nullptr); }),
              HasSubstr("rhumb model train"));
  EXPECT_THAT(test::ErrorOf([&] { subject.StageRow(0, RolloutMode::kSampled); }),
              HasSubstr("without a map"));
}

// The stage plays what `rhumb dataset collect` records.
TEST_F(PopulationSubjectTest, PlaysWhatARecordingHas) {
  Keep(0, 5, {0.5F, -0.25F}, {1, 1});
  const auto subject = std::make_shared<const PopulationSubject>(out_.string());
  std::mutex mutex;
  std::condition_variable came;
  FrameHead head;
  std::vector<float> realised(2);
  Stage stage(subject, {.frame =
                            [&](const std::string& bytes) {
                              const std::scoped_lock lock(mutex);
                              std::memcpy(&head, bytes.data() + 4, sizeof head);
                              std::memcpy(realised.data(), bytes.data() + bytes.size() - 32, 8);
                              came.notify_all();
                            },
                        .state = [](const std::string&) {}});
  stage.Run(true, 16.0);
  stage.SetWatched(true);
  for (std::uint32_t step = 1; step <= 100; ++step) {
    stage.StepOnce();
    std::unique_lock lock(mutex);
    ASSERT_TRUE(came.wait_for(lock, std::chrono::seconds(20), [&] { return head.step == step; }));
  }
  const json lane = json::parse(stage.StateJson())["lanes"][0];
  EXPECT_EQ(lane["policy"], json({{"agent", 0}, {"iteration", 5}}));
  EXPECT_TRUE(lane["ended"]);
  rollout::EpisodeRecorder recorder(environment_, {.seed = 0, .steps = 100, .batch = 1});
  const net::GaussianPolicy policy = *subject->First(RolloutMode::kSampled).policy;
  const std::vector<double> weights = {1, 0};
  const auto episodes = recorder.Record({policy, 0, weights}, [](int) { return true; });
  for (std::size_t k = 0; k < 2; ++k) {
    // The frame is float32.
    EXPECT_FLOAT_EQ(realised[k], static_cast<float>(episodes[0].returns[k]));
  }
}

}  // namespace
}  // namespace rhumb::serve
