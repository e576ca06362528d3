#include "rhumb/steer/path_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rhumb/steer/steerer.h"
#include "tests/steer/plane_model.h"

namespace rhumb::steer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Code = std::vector<float>;

Answer SteeredTo(Code code) {
  Answer answer;
  answer.code = std::move(code);
  answer.iterations = 1;
  return answer;
}

// Two starts, the first of which ends after one step; then a second descent.
TEST(PathRecorder, FindsTheWayByHand) {
  PathRecorder recorder(2);
  const auto record = [&](int iteration, std::vector<int> start, std::vector<double> points) {
    recorder(iteration, start, points.data(), nullptr);
  };
  record(0, {0, 1}, {1, 1, 5, 5});
  record(1, {0, 1}, {2, 1, 6, 5});
  record(2, {1}, {7, 5});
  record(0, {0}, {9, 9});
  EXPECT_THAT(recorder.PathTo(SteeredTo({2, 1}), 25), ElementsAre(Code{1, 1}, Code{2, 1}));
  EXPECT_THAT(recorder.PathTo(SteeredTo({7, 5}), 25),
              ElementsAre(Code{5, 5}, Code{6, 5}, Code{7, 5}));
  EXPECT_THAT(recorder.PathTo(SteeredTo({7, 5}), 2), ElementsAre(Code{5, 5}, Code{7, 5}));
  EXPECT_THAT(recorder.PathTo(SteeredTo({9, 9}), 25), ElementsAre(Code{9, 9}));
  EXPECT_THAT(recorder.PathTo(SteeredTo({3, 3}), 25), IsEmpty());
  Answer known = SteeredTo({2, 1});
  known.origin = Origin::kTraining;
  EXPECT_THAT(recorder.PathTo(known, 25), IsEmpty());
  Answer start = SteeredTo({1, 1});
  start.iterations = 0;
  EXPECT_THAT(recorder.PathTo(start, 25), IsEmpty());
}

// No code of the grid has right = 0.53. The 21 nearest have right = 0.5, and twelve of them are
// starts: up = -1 to 0.1, in table order. Distant answers also come from the last starts.
TEST(PathRecorder, EveryAnswerHasItsPath) {
  const net::Model model = PlaneModel();
  SteerOptions options;
  options.answers = 3;
  options.mixtures = 0;
  const Steerer steerer(model, net::RolloutMode::kSampled, options);
  PathRecorder recorder(model.code_size());
  const PrimalDual::Observer observer(recorder);
  const Query query = Query().AddTarget("right = 0.53");
  const Result result = steerer.Solve(query, nullptr, 0, -1, &observer);
  ASSERT_EQ(result.answers.size(), 3u);
  float last = -1;
  for (const Answer& answer : result.answers) {
    ASSERT_EQ(answer.origin, Origin::kSteered);
    const std::vector<Code> path = recorder.PathTo(answer, 25);
    ASSERT_GE(path.size(), 2u);
    EXPECT_EQ(path.front()[0], 0.5F);
    EXPECT_EQ(path.back(), answer.code);
    last = std::max(last, path.front()[1]);
  }
  EXPECT_GE(last, -0.2F) << "a start beyond the first eight";

  // Observing changes nothing.
  const Result unseen = steerer.Solve(query);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(unseen.answers[i].code, result.answers[i].code);
}

// The margin of the first attempt makes the requirements infeasible; a later attempt has no
// margin.
TEST(PathRecorder, KnowsLaterAttempts) {
  const net::Model model = PlaneModel();
  SteerOptions options;
  options.margin = 0.1;
  options.mixtures = 0;
  const Steerer steerer(model, net::RolloutMode::kSampled, options);
  PathRecorder recorder(model.code_size());
  const PrimalDual::Observer observer(recorder);
  const Query query = Query().AddTarget("right = 0.53").AddRequirement("up in [0.03, 0.07]");
  const Result result = steerer.Solve(query, nullptr, 0, -1, &observer);
  ASSERT_EQ(result.status, Status::kSolved);
  const std::vector<Code> path = recorder.PathTo(result.answers.front(), 25);
  ASSERT_GE(path.size(), 2u);
  EXPECT_EQ(path.back(), result.answers.front().code);
}

}  // namespace
}  // namespace rhumb::steer
