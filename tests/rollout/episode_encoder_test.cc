#include "rhumb/rollout/episode_encoder.h"

#include <gmock/gmock.h>

#include <cmath>

#include "rhumb/core/math/random.h"
#include "tests/data/sample_dataset.h"
#include "tests/net/sample_model.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {
namespace {

using test::ErrorOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Episodes 0, 1 and 2 have 40, 33 and 50 steps; all arrays count upwards.
class EpisodeEncoderTest : public testing::Test {
 protected:
  EpisodeEncoderTest() { data::WriteSampleDataset(scratch_.path() / "d"); }

  const test::ScratchFolder scratch_;
  const data::Dataset& dataset() {
    if (!dataset_) dataset_.emplace(data::Dataset::Open(scratch_.path() / "d"));
    return *dataset_;
  }
  net::Model model_ = EchoModel(data::SampleDescription(), 0);

 private:
  std::optional<data::Dataset> dataset_;
};

// Action a of step t in episode e is e + 1000 + 2 t + a.
TEST_F(EpisodeEncoderTest, MeansOfTheDrawnActionsByHand) {
  model_.action_half_range = {2048, 4096};
  const data::Transitions all = LoadContexts(dataset(), model_, dataset().AllEpisodes());
  const EncodeOptions options{.draws = 2, .seed = 6};
  const std::vector<float> codes = EncodeEpisodes(model_, all, options);
  ASSERT_EQ(codes.size(), 3u * 2u * 2u);
  const std::vector<std::uint32_t> lengths = {40, 33, 50};
  for (std::uint32_t e = 0; e < 3; ++e) {
    for (std::uint32_t d = 0; d < 2; ++d) {
      core::Stream choice(6, core::Purpose::kContext, e, d);
      double sum = 0;
      for (int i = 0; i < 8; ++i) sum += e + 1000 + 2 * choice.Below(lengths[e]);
      // Sums of 8 integers and divisions by powers of 2 are exact in float32.
      EXPECT_EQ(codes[(e * 2 + d) * 2], sum / 8 / 2048);
      EXPECT_EQ(codes[(e * 2 + d) * 2 + 1], (sum / 8 + 1) / 4096);
    }
  }
  EXPECT_NE(codes[0], codes[2]);
}

// Two contexts of eight pairs, each with the actions 1 and 2, or 3 and 6.
TEST_F(EpisodeEncoderTest, GivenContextsByHand) {
  model_.action_half_range = {2, 8};
  std::vector<float> pairs;
  for (const float action : {1.0F, 3.0F}) {
    for (int i = 0; i < 8; ++i) pairs.insert(pairs.end(), {9, 9, 9, action, 2 * action});
  }
  EXPECT_THAT(EncodeContexts(model_, pairs), ElementsAre(0.5F, 0.25F, 1, 0.75F));
}

// Clips as in training, because foreign recordings may exceed the range.
TEST_F(EpisodeEncoderTest, ActionsBeyondTheirRangeCountAsItsEnd) {
  model_.action_half_range = {0.5F, 4096};
  const std::vector<std::int64_t> episodes = {0};
  const std::vector<float> codes =
      EncodeEpisodes(model_, LoadContexts(dataset(), model_, episodes), {.context = 2, .seed = 1});
  EXPECT_EQ(codes[0], 1);
  EXPECT_LT(codes[1], 1);
}

TEST_F(EpisodeEncoderTest, ObservationsAreNormalised) {
  // (observation 1 of step t in episode 0 = 3 t + 1, minus 1, times 0.25) becomes the code.
  model_.observations.mean = {0, 1, 0};
  model_.observations.inverse_scale = {1, 0.25F, 1};
  std::vector<float> pick(5 * 2, 0);
  pick[1 * 2 + 0] = 1;
  model_.encoder.token_mlp.SetLayer(0, pick, std::vector<float>(2, 0));
  model_.observations.limit = 20;
  const std::vector<std::int64_t> episodes = {0};
  const std::vector<float> codes =
      EncodeEpisodes(model_, LoadContexts(dataset(), model_, episodes), {.context = 2, .seed = 1});
  core::Stream choice(1, core::Purpose::kContext, 0, 0);
  const double first = std::min(20.0, 0.75 * choice.Below(40));
  const double second = std::min(20.0, 0.75 * choice.Below(40));
  EXPECT_THAT(codes, ElementsAre((first + second) / 2, 0));
}

TEST_F(EpisodeEncoderTest, SamplesAreMeanPlusKeyedNoise) {
  const net::Model model = EchoModel(data::SampleDescription(), 0, 1);
  const std::vector<std::int64_t> episodes = {2};
  const data::Transitions transitions = LoadContexts(dataset(), model, episodes);
  const EncodeOptions options{.kind = CodeKind::kPosteriorSample, .draws = 2, .seed = 3};
  const Posteriors posteriors = EncodePosteriors(model, transitions, options);
  const std::vector<float> codes = EncodeEpisodes(model, transitions, options);
  for (std::uint32_t d = 0; d < 2; ++d) {
    core::Stream noise(3, core::Purpose::kCodeNoise, 2, d);
    for (std::size_t i = 2 * d; i < 2 * d + 2; ++i) {
      EXPECT_EQ(posteriors.deviations[i], std::exp(1.0F));
      const float drawn = std::exp(1.0F) * static_cast<float>(noise.Normal());
      EXPECT_EQ(codes[i], posteriors.means[i] + drawn);
    }
  }
  EXPECT_EQ(DrawCodes(posteriors, transitions, options), codes);
}

TEST_F(EpisodeEncoderTest, NeitherThreadsNorCompanyChangeACode) {
  net::Model model = net::SampleModel();
  model.description.environment.rewards = "upstream";
  model.description.context = 16;
  const auto encode = [&](const std::vector<std::int64_t>& episodes, int threads) {
    return EncodeEpisodes(
        model, LoadContexts(dataset(), model, episodes),
        {.kind = CodeKind::kPosteriorSample, .draws = 3, .seed = 2, .threads = threads});
  };
  const std::vector<float> all = encode({0, 1, 2}, 1);
  EXPECT_EQ(encode({0, 1, 2}, 4), all);
  const auto size = static_cast<std::ptrdiff_t>(3 * model.code_size());
  EXPECT_EQ(encode({2}, 2), std::vector<float>(all.begin() + 2 * size, all.end()));
}

TEST_F(EpisodeEncoderTest, DatasetsThatDoNotFitAreSaid) {
  const auto error_of = [&](const net::Model& model) {
    return ErrorOf([&] { LoadContexts(dataset(), model, dataset().AllEpisodes()); });
  };
  net::Model model = model_;
  model.description.environment.id = "point-v0";
  EXPECT_THAT(error_of(model), HasSubstr("belongs to 'sample-v0' with the rewards 'upstream', "
                                         "the model to 'point-v0' with the rewards 'upstream'"));
  EXPECT_THAT(ErrorOf([&] { LabelEpisodes(model.description, dataset(), {}); }),
              HasSubstr("belongs to 'sample-v0'"));
  model = model_;
  model.description.environment.rewards = "paper";
  EXPECT_THAT(error_of(model), HasSubstr("the model to 'sample-v0' with the rewards 'paper'"));
  model = model_;
  model.decoder.state_mlp = net::Mlp({4, 1}, net::Activation::kRelu);
  EXPECT_THAT(error_of(model),
              HasSubstr("has 3 observations and 2 actions; the model takes 4 and 2"));
  model = model_;
  model.description.context = 34;
  EXPECT_THAT(error_of(model), HasSubstr("episode 1 of"));
  EXPECT_THAT(error_of(model), HasSubstr("has 33 steps; a context of the model takes 34"));
}

// The returns of a sample are its first number f and -f; the height of step t is f + 9000 + 2 t.
TEST_F(EpisodeEncoderTest, LabelsByHand) {
  net::ModelDescription description = model_.description;
  std::swap(description.objectives[0], description.objectives[1]);
  const std::vector<std::int64_t> episodes = {2, 0};
  EXPECT_THAT(LabelEpisodes(description, dataset(), episodes), ElementsAre(-2, 2, 0, 0));
  net::ModelObjective& objective = description.objectives.emplace_back();
  objective.name = "peak";
  objective.expression = "max(height)";
  EXPECT_THAT(LabelEpisodes(description, dataset(), episodes),
              ElementsAre(-2, 2, 9000 + 2 + 2 * 49, 0, 0, 9000 + 2 * 39));

  const auto error = [&] {
    return ErrorOf([&] { LabelEpisodes(description, dataset(), episodes); });
  };
  objective.expression = "max(ln(9000.5 - height))";
  EXPECT_THAT(error(), HasSubstr("objective 'peak' of episode 2 of"));
  EXPECT_THAT(error(), HasSubstr("is not finite in step 0"));
  objective.expression = "max(hieght)";
  EXPECT_THAT(error(), HasSubstr("unknown name 'hieght'"));
  objective = {};
  objective.name = "froward";
  EXPECT_THAT(error(), HasSubstr("lacks the model's objective 'froward'; did you mean 'forward'?"));
}

}  // namespace
}  // namespace rhumb::rollout
