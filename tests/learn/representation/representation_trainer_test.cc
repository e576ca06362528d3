#include "rhumb/learn/representation/representation_trainer.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "rhumb/core/math/random.h"
#include "rhumb/learn/representation/representation_losses.h"
#include "tests/learn/representation/decoder_reference.h"
#include "tests/learn/training_run.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::representation {
namespace {

using testing::HasSubstr;

constexpr RepresentationShape kRobotShape{.observations = 3, .actions = 2, .labels = 2};

RepresentationConfig TinyConfig(const std::string& variant = "ours") {
  RepresentationConfig config;
  config.variant = kVariantNames.Parse(variant);
  config.epochs = 4;
  config.batch = 4;
  config.context = 6;
  config.queries = 4;
  config.code = 8;
  config.projection = 2;
  config.layers = 1;
  config.attention_heads = 2;
  config.hidden = 16;
  return config;
}

// Rows [episodes * length] with the given actions, ordered by episode.
TrainingSet MakeSet(const torch::Tensor& states, const torch::Tensor& means,
                    const torch::Tensor& actions, const torch::Tensor& labels) {
  const std::int64_t count = labels.size(0), length = states.size(0) / count;
  TrainingSet set;
  set.targets = {states, means, torch::full_like(means, std::log(0.3f))};
  set.actions = actions;
  set.episodes.starts = torch::arange(count, torch::kInt64) * length;
  set.episodes.lengths = torch::full({count}, static_cast<float>(length));
  set.labels = labels;
  for (std::int64_t e = 0; e < count; ++e) set.policies.push_back(static_cast<int>(e));
  return set;
}

// Twelve policies, p from -1 to 1: one action is 0.8 p, the other depends on the state through p.
// The labels are p and p + p^2.
TrainingSet ToySet() {
  constexpr std::int64_t kEpisodes = 12, kLength = 16;
  core::Stream noise(1, core::Purpose::kBenchmark);
  const auto draw = [&](std::int64_t columns) {
    torch::Tensor values = torch::empty({kEpisodes * kLength, columns});
    float* data = values.data_ptr<float>();
    for (std::int64_t i = 0; i < values.numel(); ++i) data[i] = static_cast<float>(noise.Normal());
    return values;
  };
  const torch::Tensor states = draw(kRobotShape.observations);
  const torch::Tensor p = torch::linspace(-1, 1, kEpisodes);
  const torch::Tensor by_row = p.repeat_interleave(kLength);
  const torch::Tensor means =
      torch::stack({0.8 * by_row, 0.5 * by_row * states.select(1, 0)}, 1).contiguous();
  const torch::Tensor actions = (means + 0.3 * draw(kRobotShape.actions)).clamp(-1, 1);
  const torch::Tensor labels = torch::stack({p, p + p.square()}, 1).to(torch::kFloat64);
  return MakeSet(states, means, actions, labels);
}

// All rows of all episodes are equal, so the selection does not matter.
TrainingSet UniformSet(std::int64_t episodes) {
  const std::int64_t rows = 5 * episodes;
  const torch::Tensor states = torch::tensor({0.5f, -1.0f, 0.25f}).repeat({rows, 1});
  const torch::Tensor means = torch::tensor({0.25f, -0.5f}).repeat({rows, 1});
  const torch::Tensor actions = torch::tensor({0.75f, -0.25f}).repeat({rows, 1});
  const torch::Tensor labels = torch::arange(2 * episodes, torch::kFloat64).view({episodes, 2});
  return MakeSet(states, means, actions, labels);
}

std::vector<torch::Tensor> Weights(RepresentationTrainer& trainer) {
  return Copies(trainer.network().parameters());
}

// The weights after some epochs.
std::vector<torch::Tensor> Trained(const RepresentationConfig& config, const TrainingSet& set,
                                   int epochs = 2, std::uint64_t seed = 1) {
  RepresentationTrainer trainer(config, kRobotShape, set, torch::kCPU, seed);
  for (int i = 0; i < epochs; ++i) trainer.RunEpoch();
  return Weights(trainer);
}

std::vector<double> NumbersOf(const EpochRecord& record) {
  std::vector<double> numbers;
  for (const EpochNumber& number : kEpochNumbers) numbers.push_back(record.*number.value);
  return numbers;
}

void ExpectEqualHistories(const RepresentationTrainer& a, const RepresentationTrainer& b) {
  ASSERT_EQ(a.history().size(), b.history().size());
  for (std::size_t i = 0; i < a.history().size(); ++i) {
    EXPECT_EQ(NumbersOf(a.history()[i]), NumbersOf(b.history()[i])) << i;
  }
}

class RepresentationTrainerTest : public testing::Test {
 private:
  const ThreadCount one_{1};
};

// The posterior of a context of a uniform set, [1, H].
Gaussian PosteriorOf(RepresentationTrainer& trainer, const TrainingSet& set) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor tokens = torch::cat({set.targets.states, set.actions}, 1);
  return trainer.network().encoder->forward(tokens.narrow(0, 0, 6).unsqueeze(0), DropoutMasks());
}

// Two identical episodes without a posterior: all four codes are equal, and so are all distances on
// the map. From an anchor, one other code is at label distance 0, so its set F has three members.
// Two are at the same larger distance, so their sets have two:
//   contrast = (ln 3 + 2 ln 2) / 3
TEST_F(RepresentationTrainerTest, TheFirstLossesByHand) {
  const TrainingSet set = UniformSet(2);
  RepresentationTrainer trainer(TinyConfig("autoencoder"), kRobotShape, set, torch::kCPU, 1);
  EXPECT_EQ(trainer.steps_per_epoch(), 1);
  EXPECT_EQ(trainer.epoch(), 0);
  trainer.RunEpoch();
  EXPECT_EQ(trainer.epoch(), 1);
  const EpochRecord& record = trainer.history().at(0);
  EXPECT_EQ(record.epoch, 1);
  EXPECT_NEAR(record.contrast, (std::log(3) + 2 * std::log(2)) / 3, 1e-5);
  EXPECT_EQ(record.posterior_kl, 0);
  EXPECT_LT(record.orthonormality, 1e-10) << "projections start orthonormal";
  EXPECT_EQ(record.skipped_steps, 0);
}

// Compares with the network before the first step; sums of floats have another order.
TEST_F(RepresentationTrainerTest, TheFirstLossesAreTheNetworks) {
  const TrainingSet teacher = UniformSet(2);
  TrainingSet taken = UniformSet(2);
  taken.targets = {taken.targets.states, taken.actions, {}};
  for (const bool imitate : {true, false}) {
    const TrainingSet& set = imitate ? teacher : taken;
    RepresentationTrainer trainer(TinyConfig("autoencoder"), kRobotShape, set, torch::kCPU, 1);
    const torch::NoGradGuard no_grad;
    const Targets& targets = set.targets;
    const Gaussian action =
        Decode(trainer.network().decoder, targets.states.narrow(0, 0, 1).unsqueeze(0),
               PosteriorOf(trainer, set).mean);
    const torch::Tensor wanted = targets.means.narrow(0, 0, 1);
    const torch::Tensor expected =
        imitate ? GaussianSplitKl(wanted, targets.log_deviations.narrow(0, 0, 1), action.mean[0],
                                  action.log_deviation[0])
                : GaussianNll(wanted, action.mean[0], action.log_deviation[0]);
    const torch::AutoGradMode with_gradients(true);
    trainer.RunEpoch();
    EXPECT_NEAR(trainer.history()[0].reconstruction, expected.item<double>(), 1e-5);
  }

  RepresentationTrainer trainer(TinyConfig(), kRobotShape, teacher, torch::kCPU, 1);
  const auto [mean, log_deviation] = PosteriorOf(trainer, teacher);
  trainer.RunEpoch();
  const EpochRecord& record = trainer.history()[0];
  EXPECT_NEAR(record.posterior_kl, PosteriorKl(mean, log_deviation).item<double>(), 1e-5);
  EXPECT_NEAR(record.code_norm, mean.norm().item<double>(), 1e-5);
  EXPECT_NEAR(record.code_deviation, log_deviation.exp().mean().item<double>(), 1e-5);
  EXPECT_GT(record.gradient_norm, 0);
}

TEST_F(RepresentationTrainerTest, LossesFallAndTheMapIsOrdered) {
  const TrainingSet set = ToySet();
  RepresentationConfig config = TinyConfig();
  config.epochs = 100;
  config.learning_rate = 5e-3;
  RepresentationTrainer trainer(config, kRobotShape, set, torch::kCPU, 1);
  EXPECT_EQ(trainer.steps_per_epoch(), 3);
  while (trainer.epoch() < config.epochs) trainer.RunEpoch();
  const EpochRecord &first = trainer.history().front(), &last = trainer.history().back();
  EXPECT_EQ(last.epoch, 100);
  EXPECT_LT(last.reconstruction, 0.3 * first.reconstruction);
  EXPECT_LT(last.contrast, 0.9 * first.contrast);
  EXPECT_LT(last.orthonormality, 0.1);
  EXPECT_EQ(last.skipped_steps, 0);

  // A policy follows its code: the decoder misses less than half of the means' squares.
  const torch::NoGradGuard no_grad;
  const torch::Tensor tokens = torch::cat({set.targets.states, set.actions}, 1).view({12, 16, 5});
  const torch::Tensor code = trainer.network().encoder->forward(tokens, DropoutMasks()).mean;
  const torch::Tensor acted =
      Decode(trainer.network().decoder, set.targets.states.view({12, 16, 3}), code).mean;
  const torch::Tensor miss = (acted - set.targets.means.view({12, 16, 2})).square().mean();
  EXPECT_LT(miss.item<double>(), 0.5 * set.targets.means.square().mean().item<double>());

  // Of two other policies the one with the nearer label is nearer on the map; chance gives one
  // half.
  const torch::Tensor z = trainer.network().projections->forward(code)[0];
  const torch::Tensor on_map = (z.unsqueeze(0) - z.unsqueeze(1)).norm(2, 2);
  const torch::Tensor y = set.labels.select(1, 0);
  const torch::Tensor by_label = (y.unsqueeze(0) - y.unsqueeze(1)).abs();
  const torch::Tensor nearer = by_label.unsqueeze(2) < by_label.unsqueeze(1) - 0.01;
  const torch::Tensor right = nearer & (on_map.unsqueeze(2) < on_map.unsqueeze(1));
  EXPECT_GT(right.sum().item<double>(), 0.8 * nearer.sum().item<double>());
}

// Four episodes have eight views. A model that cannot match views, or matches the wrong ones,
// reaches at best ln 7 on average.
TEST_F(RepresentationTrainerTest, InfoNceFindsTheOtherView) {
  const TrainingSet set = ToySet();
  RepresentationConfig config = TinyConfig("infonce");
  config.epochs = 100;
  config.learning_rate = 5e-3;
  RepresentationTrainer trainer(config, kRobotShape, set, torch::kCPU, 1);
  while (trainer.epoch() < config.epochs) trainer.RunEpoch();
  double contrast = 0;
  for (std::size_t epoch = 90; epoch < 100; ++epoch) {
    contrast += trainer.history()[epoch].contrast / 10;
  }
  EXPECT_LT(contrast, 0.8 * std::log(7));
}

TEST_F(RepresentationTrainerTest, RepeatsToTheBitWithItsSeedAndOnlyWithIt) {
  const ThreadCount two(2);
  const TrainingSet set = ToySet();
  RepresentationConfig config = TinyConfig();
  config.dropout = 0.1;
  const std::vector<torch::Tensor> weights = Trained(config, set);
  EXPECT_TRUE(AllEqual(Trained(config, set), weights));
  EXPECT_FALSE(AllEqual(Trained(config, set, 2, /*seed=*/2), weights));
  config.dropout = 0;
  EXPECT_FALSE(AllEqual(Trained(config, set), weights)) << "dropout counts";
}

TEST_F(RepresentationTrainerTest, GoesOnToTheBitAfterARestore) {
  const ThreadCount two(2);
  const TrainingSet set = ToySet();
  RepresentationConfig config = TinyConfig();
  config.dropout = 0.1;
  RepresentationTrainer whole(config, kRobotShape, set, torch::kCPU, 1);
  RepresentationTrainer resumed(config, kRobotShape, set, torch::kCPU, 1);
  whole.RunEpoch();
  whole.RunEpoch();
  const test::ScratchFolder scratch;
  net::SafetensorsWriter out;
  whole.SaveState(out);
  resumed.RestoreState(net::SafetensorsFile(scratch.Write("state.safetensors", out.Bytes())));
  EXPECT_EQ(resumed.epoch(), 2);
  EXPECT_TRUE(AllEqual(Weights(resumed), Weights(whole)));
  ExpectEqualHistories(resumed, whole);
  for (RepresentationTrainer* trainer : {&whole, &resumed}) {
    trainer->RunEpoch();
    trainer->RunEpoch();
  }
  EXPECT_TRUE(AllEqual(Weights(resumed), Weights(whole)));
  ExpectEqualHistories(resumed, whole);
}

TEST_F(RepresentationTrainerTest, AStateOfOtherSizesIsAnError) {
  const TrainingSet set = ToySet();
  const test::ScratchFolder scratch;
  RepresentationConfig config = TinyConfig();
  net::SafetensorsWriter out;
  RepresentationTrainer(config, kRobotShape, set, torch::kCPU, 1).SaveState(out);
  const net::SafetensorsFile state(scratch.Write("state.safetensors", out.Bytes()));
  config.hidden = 17;
  RepresentationTrainer other(config, kRobotShape, set, torch::kCPU, 1);
  EXPECT_THAT(test::ErrorOf([&] { other.RestoreState(state); }),
              testing::AllOf(HasSubstr("state.safetensors"), HasSubstr("shape")));
}

// Without a gradient and with a decay of 1, a projection shrinks by the learning rate in every
// step. The rate falls from the first to the last value along a cosine.
TEST_F(RepresentationTrainerTest, TheLearningRateFallsAlongACosine) {
  const TrainingSet set = ToySet();
  RepresentationConfig config = TinyConfig("vae");
  config.zeta = 0;
  config.weight_decay = 1;
  config.batch = 12;
  config.epochs = 8;
  config.learning_rate = 0.1;
  for (const double final_rate : {0.02, 0.1}) {
    config.final_learning_rate = final_rate;
    RepresentationTrainer trainer(config, kRobotShape, set, torch::kCPU, 1);
    for (int step = 0; step < 8; ++step) {
      const double before = trainer.network().projections->weights().norm().item<double>();
      trainer.RunEpoch();
      const double after = trainer.network().projections->weights().norm().item<double>();
      const double share = 0.5 * (1 + std::cos(std::numbers::pi * step / 8));
      // Norms of floats.
      EXPECT_NEAR(1 - after / before, final_rate + share * (0.1 - final_rate), 1e-6) << step;
    }
  }
}

// The KL term is more than ten thousand times larger than the others, contexts never change and the
// weights hardly move. The gradient norm is therefore proportional to beta: constant within an
// epoch, then larger.
TEST_F(RepresentationTrainerTest, BetaGrowsFromEpochToEpoch) {
  const TrainingSet set = UniformSet(4);
  RepresentationConfig config = TinyConfig("vae");
  config.batch = 2;
  config.epochs = 3;
  config.beta_start = 1e5;
  config.beta_end = 3e5;
  config.learning_rate = config.final_learning_rate = 1e-9;
  config.weight_decay = 0;
  RepresentationTrainer trainer(config, kRobotShape, set, torch::kCPU, 1);
  EXPECT_EQ(trainer.steps_per_epoch(), 2);
  for (int i = 0; i < 3; ++i) trainer.RunEpoch();
  const double first = trainer.history()[0].gradient_norm;
  EXPECT_GT(first, 1e4);
  EXPECT_NEAR(trainer.history()[1].gradient_norm / first, 2, 1e-4);
  EXPECT_NEAR(trainer.history()[2].gradient_norm / first, 3, 1e-4);
}

// Every rival differs from ours in one term or one part.
TEST_F(RepresentationTrainerTest, VariantsHaveTheirTerms) {
  const TrainingSet set = ToySet();
  TrainingSet relabelled = ToySet();
  relabelled.labels = relabelled.labels.flip(0).square();
  for (const char* variant :
       {"ours", "vae", "mean_pool", "free_projections", "infonce", "autoencoder"}) {
    RepresentationConfig config = TinyConfig(variant);
    config.beta_start = 0.1;
    RepresentationTrainer trainer(config, kRobotShape, set, torch::kCPU, 1);
    const std::vector<torch::Tensor> before = Weights(trainer);
    trainer.RunEpoch();
    EXPECT_FALSE(AllEqual(Weights(trainer), before)) << variant;
    const EpochRecord& record = trainer.history()[0];
    const std::string name = variant;
    EXPECT_GT(record.reconstruction, 0) << variant;
    EXPECT_EQ(record.contrast > 0, name != "vae") << variant << " " << record.contrast;
    EXPECT_EQ(record.posterior_kl > 0, name != "autoencoder") << variant;
    // Labels matter only if the contrast ranks by them.
    const bool ranks = name != "vae" && name != "infonce";
    EXPECT_EQ(AllEqual(Trained(config, relabelled), Trained(config, set)), !ranks) << variant;
    // Beta matters if there is a posterior, zeta if projections are kept orthonormal.
    RepresentationConfig changed = config;
    changed.beta_start = 0.2;
    EXPECT_EQ(AllEqual(Trained(changed, set), Trained(config, set)), name == "autoencoder");
    changed = config;
    changed.zeta = 50;
    EXPECT_EQ(AllEqual(Trained(changed, set), Trained(config, set)), name == "free_projections");
    changed = config;
    changed.alpha = 3;
    EXPECT_EQ(AllEqual(Trained(changed, set), Trained(config, set)), name == "vae");
  }
  RepresentationConfig plain = TinyConfig();
  plain.alpha = 0;
  EXPECT_TRUE(AllEqual(Trained(TinyConfig("vae"), set), Trained(plain, set)));
  plain = TinyConfig();
  plain.zeta = 0;
  EXPECT_TRUE(AllEqual(Trained(TinyConfig("free_projections"), set), Trained(plain, set)));
}

// Each epoch has the spoilt episode in one of its three steps, and skips that step.
TEST_F(RepresentationTrainerTest, StepsWithNaNAreSkippedAndCounted) {
  TrainingSet set = ToySet();
  set.targets.states.narrow(0, 7 * 16, 16).fill_(std::numeric_limits<float>::quiet_NaN());
  RepresentationTrainer trainer(TinyConfig(), kRobotShape, set, torch::kCPU, 1);
  const std::vector<torch::Tensor> before = Weights(trainer);
  for (int epoch = 1; epoch <= 3; ++epoch) {
    trainer.RunEpoch();
    EXPECT_EQ(trainer.history().back().skipped_steps, epoch);
    for (const double number : NumbersOf(trainer.history().back())) {
      EXPECT_TRUE(std::isfinite(number));
    }
  }
  for (const torch::Tensor& weights : Weights(trainer)) {
    EXPECT_TRUE(weights.isfinite().all().item<bool>());
  }
  EXPECT_FALSE(AllEqual(Weights(trainer), before)) << "the other steps teach";
}

// Seven episodes make three steps of two; one episode is left over, a different one each epoch.
TEST_F(RepresentationTrainerTest, EpochsOfWholeBatches) {
  const TrainingSet seven = UniformSet(7), two = UniformSet(2);
  RepresentationConfig config = TinyConfig();
  config.batch = 2;
  EXPECT_EQ(RepresentationTrainer(config, kRobotShape, seven, torch::kCPU, 1).steps_per_epoch(), 3);
  config.batch = 64;
  EXPECT_EQ(RepresentationTrainer(config, kRobotShape, two, torch::kCPU, 1).steps_per_epoch(), 1);
}

}  // namespace
}  // namespace rhumb::learn::representation
