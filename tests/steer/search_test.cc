#include "rhumb/steer/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rhumb/core/math/random.h"
#include "tests/steer/plane_model.h"

namespace rhumb::steer {
namespace {

using testing::FloatNear;
using testing::Pointwise;

using Code = std::vector<float>;

struct SearchSetting {
  explicit SearchSetting(net::Model described, const SteerOptions& settings = {})
      : model(std::move(described)),
        options(settings),
        prepared(model, kSampledMode, options),
        search(prepared) {}

  std::vector<Candidate> Run(const Query& query, const AttemptSettings& attempt,
                             const Search::Seeds& seeds = {}) {
    return search.Run(MakeProblem(query, model, nullptr), attempt, seeds);
  }

  net::Model model;
  SteerOptions options;
  PreparedModel prepared;
  Search search;
};

std::vector<Code> CodesOf(const std::vector<Candidate>& candidates, Origin origin) {
  std::vector<Code> codes;
  for (const Candidate& candidate : candidates) {
    if (candidate.origin == origin) codes.push_back(candidate.code);
  }
  return codes;
}

// Without iterations the steered codes are the starts.
constexpr AttemptSettings kStay{.starts = 3, .iterations = 0, .max_distance = 0.5, .margin = 0};

TEST(Search, ConfidenceIsSharedByTheBounds) {
  SteerOptions options;
  options.confidence = 0.9;
  SearchSetting setting(NoisyPlaneModel(0.1f), options);
  const auto confidence = [&](const Query& query) {
    return setting.search.ConfidencePerBound(MakeProblem(query, setting.model, nullptr));
  };
  EXPECT_DOUBLE_EQ(confidence(Query().AddRequirement("up>=0")), 1 - 0.1);
  EXPECT_DOUBLE_EQ(confidence(Query().AddRequirement("up in [0, 1]")), 1 - 0.1 / 2);
  // The two bounds that replace the goal do not count.
  EXPECT_DOUBLE_EQ(
      confidence(Query().AddRequirement("up>=0").AddTarget("right=0").Minimise("up - right")),
      1 - 0.1);
  EXPECT_EQ(confidence(Query().AddTarget("right=0")), 0);
  SearchSetting careless(NoisyPlaneModel(0.1f));
  EXPECT_EQ(careless.search.ConfidencePerBound(
                MakeProblem(Query().AddRequirement("up>=0"), careless.model, nullptr)),
            0);
}

TEST(Search, CandidatesKnowTheirProbability) {
  SearchSetting noisy(NoisyPlaneModel(0.1f));
  const Query query = Query().AddTarget("right=0.3 +- 0.05").AddRequirement("up>=0");
  const Problem problem = MakeProblem(query, noisy.model, nullptr);
  for (const Candidate& candidate : noisy.Run(query, kStay)) {
    const Forecaster& forecaster = noisy.prepared.forecaster;
    std::vector<double> stds = candidate.forecast.stds;
    for (int k = 0; k < forecaster.objectives(); ++k) {
      stds[static_cast<std::size_t>(k)] *= forecaster.TailScale(k);
    }
    EXPECT_EQ(candidate.probability,
              ProbabilityOf(problem, forecaster, candidate.forecast.values, stds));
    EXPECT_GT(candidate.probability, 0);
    EXPECT_LT(candidate.probability, 1);
  }
  for (const Candidate& candidate : noisy.Run(Query().Maximise("up"), kStay)) {
    EXPECT_EQ(candidate.probability, 1) << "a wish has no probability";
  }
  SearchSetting labelled(PlaneModel());
  EXPECT_TRUE(std::isnan(labelled.Run(query, kStay).front().probability));
}

// (0.31, -0.42) is 0.022 from (0.3, -0.4), 0.081 from (0.3, -0.5) and 0.092 from (0.4, -0.4).
TEST(Search, StartsAreTheNearest) {
  SearchSetting setting(PlaneModel());
  const std::vector<Candidate> found =
      setting.Run(Query().AddTarget("right=0.31").AddTarget("up=-0.42"), kStay);
  const std::vector<Code> starts = CodesOf(found, Origin::kSteered);
  ASSERT_EQ(starts.size(), 3u);
  // The grid is float.
  EXPECT_THAT(starts[0], Pointwise(FloatNear(1e-6f), Code{0.3f, -0.4f, 0}));
  EXPECT_THAT(starts[1], Pointwise(FloatNear(1e-6f), Code{0.3f, -0.5f, 0}));
  EXPECT_THAT(starts[2], Pointwise(FloatNear(1e-6f), Code{0.4f, -0.4f, 0}));
  // A recorded code comes first.
  const Code recorded = {0.77f, 0.77f, 0};
  const std::vector<Candidate> edited =
      setting.Run(Query().AddTarget("right=0.31"), kStay, {.code = recorded});
  EXPECT_EQ(CodesOf(edited, Origin::kSteered).size(), 4u);
  EXPECT_EQ(edited.front().code, recorded);
}

// (0.5, 0) realised right = 0.8, but the heads say 0.5. So it is nearer to 0.79 than (0.7, 0) is.
TEST(Search, StartsAreNearestByWhatRollOutsSay) {
  net::Model model = GroundedPlaneModel();
  RollOut(0.5f, 0, model);
  model.grounded[static_cast<std::size_t>(net::RolloutMode::kSampled)]->rolled_out.values[0] = 0.8f;
  RollOut(0.6f, 0, model);
  RollOut(0.7f, 0, model);
  SearchSetting setting(std::move(model));
  const std::vector<Candidate> found =
      setting.Run(Query().AddTarget("right=0.79").AddTarget("up=0"), kStay);
  EXPECT_THAT(CodesOf(found, Origin::kSteered).front(),
              Pointwise(FloatNear(1e-6f), Code{0.5f, 0, 0}));
}

// At up = -1 the bound holds up to right = -0.45. Beyond it, 1 more of right gains 1.65 for the
// wish and costs 5 * 0.1 / 0.61 = 0.82. The starts of least miss are therefore those with the
// largest right.
TEST(Search, AStartOfAWishKeepsTheBounds) {
  SearchSetting setting(PlaneModel());
  const std::vector<Candidate> found =
      setting.Run(Query().Maximise("right").AddRequirement("up + 0.1 * right <= -1.045"), kStay);
  const std::vector<Code> starts = CodesOf(found, Origin::kSteered);
  ASSERT_EQ(starts.size(), 3u);
  EXPECT_THAT(starts[0], Pointwise(FloatNear(1e-6f), Code{1, -1, 0}));
  EXPECT_THAT(starts[2], Pointwise(FloatNear(1e-6f), Code{-0.5f, -1, 0}));
}

TEST(Search, RandomStartsRepeatByTheirSeed) {
  SteerOptions options;
  options.start = "random";
  options.candidates = false;
  SearchSetting setting(PlaneModel(), options);
  const Query query = Query().AddTarget("right=0.31");
  const auto starts = [&](std::uint64_t seed, int first_start) {
    return CodesOf(setting.Run(query, kStay, {.seed = seed, .first_start = first_start}),
                   Origin::kSteered);
  };
  const std::vector<Code> drawn = starts(5, -1);
  ASSERT_EQ(drawn.size(), 3u);
  EXPECT_EQ(starts(5, -1), drawn);
  EXPECT_NE(starts(6, -1), drawn);
  // The second code of the grid's first row, and the same others as before.
  const std::vector<Code> named = starts(5, 1);
  EXPECT_THAT(named[0], Pointwise(FloatNear(1e-6f), Code{-0.9f, -1, 0}));
  EXPECT_EQ(named[1], drawn[1]);
  EXPECT_EQ(named[2], drawn[2]);
}

// (0.502, 0.5) is nearer to the query, but only (0.5, 0.9) is within the tolerances.
TEST(Search, KnownCodesThatSatisfyComeBeforeThoseThatDoNot) {
  net::Model model = GroundedPlaneModel();
  RollOut(0.502f, 0.5f, model);
  RollOut(0.5f, 0.9f, model);
  SearchSetting setting(model);
  Query query;
  query.AddTarget("right", 0.5, 0.001).AddTarget("up", 0.5, 0.5);
  AttemptSettings attempt = kStay;
  attempt.starts = 1;
  const std::vector<Candidate> found = setting.Run(query, attempt);
  const std::vector<Code> rolled_out = CodesOf(found, Origin::kRolledOut);
  ASSERT_EQ(rolled_out.size(), 1u);
  EXPECT_EQ(rolled_out[0], (Code{0.5f, 0.9f, 0}));
  EXPECT_TRUE(found.back().satisfies);
  EXPECT_GT(found.back().risk, 0.4 / kGridStd);
  // With room for both, the better ones still come first.
  attempt.starts = 2;
  const std::vector<Code> both = CodesOf(setting.Run(query, attempt), Origin::kRolledOut);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0], (Code{0.5f, 0.9f, 0}));
}

// The rolled-out codes are a step apart. A recorded code is 9 steps beyond the last.
TEST(Search, OnlyWhatIsNearWhatWasTriedMayAnswer) {
  net::Model model = GroundedPlaneModel();
  for (const float right : {0.8f, 0.9f, 1.0f}) RollOut(right, 0, model);
  SearchSetting setting(model);
  const Code recorded = {1.9f, 0, 0};
  const std::vector<Candidate> far =
      setting.Run(Query().AddTarget("right=1.9"), kStay, {.code = recorded});
  EXPECT_EQ(far.front().code, recorded);
  EXPECT_NEAR(far.front().distance_to_data, 9, 1e-4);
  for (const Candidate& candidate : far) EXPECT_FALSE(candidate.satisfies);
  const std::vector<Candidate> near = setting.Run(Query().AddTarget("right=0.9"), kStay);
  EXPECT_EQ(near.back().origin, Origin::kRolledOut);
  EXPECT_EQ(near.back().distance_to_data, 0);
  EXPECT_TRUE(std::any_of(near.begin(), near.end(), [](const Candidate& one) {
    return one.satisfies && one.origin == Origin::kRolledOut;
  }));
}

TEST(Search, TellsWhetherAStartStillMoved) {
  SearchSetting setting(PlaneModel());
  const Query query = Query().AddTarget("right=0.34").AddTarget("up=0.1");
  AttemptSettings attempt{.starts = 1, .iterations = 1, .max_distance = 0.5, .margin = 0};
  setting.Run(query, attempt);
  EXPECT_TRUE(setting.search.ran_out());
  attempt.iterations = 200;
  const std::vector<Candidate> found = setting.Run(query, attempt);
  EXPECT_FALSE(setting.search.ran_out());
  EXPECT_TRUE(found.front().satisfies);
  EXPECT_GT(found.front().iterations, 1);
  EXPECT_EQ(found.front().origin, Origin::kSteered);
}

// Both values have slope 1 / scale in the codes' elements in the plane.
TEST(Search, StepsDoNotDependOnTheScaleOfTheCodes) {
  constexpr int kQueries = 30;
  core::Stream stream(11, core::Purpose::kBenchmark);
  std::vector<Query> queries;
  for (int i = 0; i < kQueries; ++i) {
    const double right = stream.Uniform(-0.9, 0.9), up = stream.Uniform(-0.9, 0.9);
    queries.push_back(Query()
                          .AddTarget("right", right)
                          .AddTarget("up", up, 0.01)
                          .AtLeast("right + up", right + up - 0.05));
  }
  SteerOptions options;
  options.start = "random";
  options.candidates = false;
  const AttemptSettings attempt{.starts = 2, .iterations = 150, .max_distance = 100, .margin = 0};
  const auto solve = [&](float scale) {
    SearchSetting setting(PlaneModel(0, scale), options);
    std::vector<std::vector<Candidate>> all;
    for (const Query& query : queries) all.push_back(setting.Run(query, attempt));
    return all;
  };
  const auto solved = [](const std::vector<std::vector<Candidate>>& all) {
    return std::count_if(all.begin(), all.end(), [](const std::vector<Candidate>& found) {
      return std::any_of(found.begin(), found.end(),
                         [](const Candidate& one) { return one.satisfies; });
    });
  };
  const std::vector<std::vector<Candidate>> usual = solve(1);
  EXPECT_EQ(solved(usual), kQueries);
  for (const float scale : {0.1f, 10.0f}) {
    const std::vector<std::vector<Candidate>> scaled = solve(scale);
    EXPECT_EQ(solved(scaled), kQueries);
    for (std::size_t i = 0; i < kQueries; ++i) {
      for (std::size_t start = 0; start < 2; ++start) {
        for (std::size_t k = 0; k < 2; ++k) {
          // Float rounding along the path.
          EXPECT_NEAR(scaled[i][start].forecast.values[k], usual[i][start].forecast.values[k],
                      1e-4);
        }
      }
    }
  }
  // Steps in code units do depend on the scale.
  options.scale_step = false;
  EXPECT_LT(solved(solve(10)), kQueries / 2);
}

}  // namespace
}  // namespace rhumb::steer
