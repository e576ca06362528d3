#include "rhumb/learn/ppo/ppo_learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "rhumb/core/math/random.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::ppo {
namespace {

using nlohmann::json;

torch::Tensor Doubles(const json& values) {
  return torch::tensor(values.get<std::vector<double>>(), torch::kFloat64);
}

// A field of every agent of a golden file as [A, …] in double, with nested rows flattened.
torch::Tensor Stacked(const json& golden, const std::string& field) {
  std::vector<torch::Tensor> agents;
  for (const json& agent : golden["agents"]) {
    json flat = json::array();
    for (const json& value : agent[field].is_array() ? agent[field] : json{agent[field]}) {
      if (value.is_array()) {
        flat.insert(flat.end(), value.begin(), value.end());
      } else {
        flat.push_back(value);
      }
    }
    agents.push_back(Doubles(flat));
  }
  return torch::stack(agents);
}

// Loss [A] and gradients [A, P] for one minibatch with all the experience.
struct Derivative {
  torch::Tensor loss, gradients;
};

// Settings for an update with one minibatch and a zero step, so Differentiate changes nothing.
void StandStill(PpoConfig& config) {
  config.epochs = config.minibatches = 1;
  config.learning_rate = 0;
  config.max_gradient_norm = 1e6;
}

Derivative Differentiate(PpoLearner& learner, const PpoConfig& config) {
  const std::int64_t agents = learner.parameters().size(0), batch = config.batch_size();
  const UpdateReport report =
      learner.Update(torch::arange(batch, torch::kInt64).expand({agents, 1, batch}));
  return {torch::tensor(report.policy_loss) + torch::tensor(report.value_loss) -
              config.entropy_coefficient * learner.log_deviation().sum({1, 2}),
          learner.gradients().clone()};
}

// A learner in the start state of a golden file: the old policy has computed its log-probabilities,
// then the networks have moved. It holds the file's whole experience or, for derivatives, the rows
// of its single minibatch.
struct GoldenCase {
  enum class Experience { kWhole, kMinibatch };
  explicit GoldenCase(const std::string& name, Experience experience = Experience::kWhole)
      : golden(json::parse(test::Contents(std::filesystem::path(std::getenv("RHUMB_SOURCE_DIR")) /
                                          "tests/learn/golden" / ("ppo_" + name + ".json")))) {
    config.environments = 1;
    config.steps = static_cast<int>(golden["agents"][0]["advantages"].size());
    config.epochs = golden["epochs"];
    config.minibatches = golden["minibatches"];
    config.activation = net::kActivationNames.Parse(golden["activation"].get<std::string>());
    config.hidden = golden["hidden"].get<std::vector<double>>();
    config.clip = golden["clip"];
    config.value_coefficient = golden["value_coefficient"];
    config.entropy_coefficient = golden["entropy_coefficient"];
    config.max_gradient_norm = golden["max_gradient_norm"];
    config.learning_rate = golden["learning_rate"];
    config.adam_epsilon = golden["adam_epsilon"];
    if (experience == Experience::kMinibatch) {
      config.steps = static_cast<int>(golden["agents"][0]["rows"].size());
      StandStill(config);
    }
    const auto agents = static_cast<int>(golden["agents"].size());
    learner = std::make_unique<PpoLearner>(
        config, LearnerShape{.agents = agents, .observations = 3, .actions = 2}, torch::kCPU);
    learner->parameters().copy_(Stacked(golden, "old_parameters"));
    const torch::Tensor rows = Stacked(golden, "rows").to(torch::kInt64);
    // [A, N, width], or [A, B, width] for the minibatch.
    const auto experienced = [&](const char* field, std::int64_t width) {
      const torch::Tensor all = Stacked(golden, field).view({agents, -1, width});
      if (experience == Experience::kWhole) return all;
      return all.gather(1, rows.unsqueeze(-1).expand({-1, -1, width}));
    };
    learner->SetObservations(experienced("observations", 3));
    learner->SetActions(experienced("actions", 2));
    learner->Values();
    learner->SetTargets(experienced("advantages", 1), experienced("returns", 1));
    learner->parameters().copy_(Stacked(golden, "parameters"));
  }

  json golden;
  PpoConfig config;
  std::unique_ptr<PpoLearner> learner;
};

class Golden : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Activations, Golden, ::testing::Values("relu", "elu", "tanh"),
                         [](const auto& parameter) { return parameter.param; });

// The golden minibatches exercise the clip: some ratios lie above with a gain, some below with a
// loss.
TEST_P(Golden, HasRatiosClippedOnBothSides) {
  const json golden = GoldenCase(GetParam()).golden;
  for (const json& agent : golden["agents"]) {
    int above = 0, below = 0;
    for (std::size_t i = 0; i < agent["rows"].size(); ++i) {
      const double advantage = agent["advantages"][agent["rows"][i].get<std::size_t>()];
      above += agent["ratios"][i] > 1.2 && advantage > 0 ? 1 : 0;
      below += agent["ratios"][i] < 0.8 && advantage < 0 ? 1 : 0;
    }
    EXPECT_GT(above, 0);
    EXPECT_GT(below, 0);
  }
}

// Ours is float, the golden values are double. The tolerance is 1e-5 of each number or, if sums
// cancel, the float rounding of the largest gradient.
TEST_P(Golden, LossAndGradientsEqualAutograd) {
  GoldenCase c(GetParam(), GoldenCase::Experience::kMinibatch);
  const Derivative derivative = Differentiate(*c.learner, c.config);
  const torch::Tensor loss = derivative.loss.to(torch::kFloat64);
  const torch::Tensor expected_loss = Stacked(c.golden, "loss").view({-1});
  EXPECT_TRUE(torch::allclose(loss, expected_loss, 1e-5, 0)) << loss << expected_loss;

  const torch::Tensor gradients = derivative.gradients.to(torch::kFloat64);
  const torch::Tensor expected = Stacked(c.golden, "gradients");
  const double largest = expected.abs().max().item<double>();
  EXPECT_TRUE(torch::allclose(gradients, expected, 1e-5, 1e-7 * largest))
      << "largest difference " << (gradients - expected).abs().max().item<double>()
      << " of gradients up to " << largest;
}

// Two epochs of two minibatches: clips the gradient norm per agent, then applies Adam.
TEST_P(Golden, UpdateEqualsTorchsClipAndAdam) {
  GoldenCase c(GetParam());
  const torch::Tensor permutations =
      Stacked(c.golden, "permutations").to(torch::kInt64).view({-1, 2, 16});
  const UpdateReport report = c.learner->Update(permutations);
  const torch::Tensor moved =
      c.learner->parameters().to(torch::kFloat64) - Stacked(c.golden, "updated_parameters");
  // A step moves a parameter of size 1 by about the learning rate, 1e-2. Adam divides small
  // gradients, and their rounding, by their own size; hence 1e-6.
  EXPECT_LT(moved.abs().max().item<double>(), 1e-6);
  const torch::Tensor norms = Stacked(c.golden, "gradient_norms");
  EXPECT_GT(norms.max().item<double>(), 0.5) << "nothing was clipped";
  for (std::size_t a = 0; a < report.gradient_norm.size(); ++a) {
    EXPECT_NEAR(report.gradient_norm[a], norms[static_cast<long>(a)].mean().item<double>(), 1e-5);
    EXPECT_EQ(report.skipped[a], 0);
  }
}

// Central differences of our own loss. In float the loss is rounded to 6e-8 of its size 1, so a
// step of 2e-3 gives a rounding error of about 3e-5. Curvature adds the third derivative times
// 7e-7, and a ReLU or the clip may switch within the step. A tolerance of 2e-3 of the largest
// gradient, except for a few switches, catches any wrong formula.
TEST_P(Golden, GradientsEqualFiniteDifferences) {
  GoldenCase c(GetParam(), GoldenCase::Experience::kMinibatch);
  const torch::Tensor gradients = Differentiate(*c.learner, c.config).gradients;
  const float largest = gradients.abs().max().item<float>();
  const torch::Tensor& parameters = c.learner->parameters();
  constexpr float kStep = 2e-3f;
  int switched = 0;
  for (std::int64_t p = 0; p < parameters.size(1); ++p) {
    const torch::Tensor before = parameters.select(1, p).clone();
    parameters.select(1, p).copy_(before + kStep);
    const torch::Tensor up = Differentiate(*c.learner, c.config).loss;
    parameters.select(1, p).copy_(before - kStep);
    const torch::Tensor down = Differentiate(*c.learner, c.config).loss;
    parameters.select(1, p).copy_(before);
    const torch::Tensor error = (up - down) / (2 * kStep) - gradients.select(1, p);
    switched += (error.abs() > 2e-3 * largest).sum().item<int>();
  }
  EXPECT_LE(switched, 5);
}

// The clip by hand. One action, mean 0 (all weights zero), standard deviation 1, advantage A,
// action 1. With log-deviation s the log-probability is -e^(-2s)/2 - s; the ratio to s = 0 is
// exp(1/2 - e^(-2s)/2 - s). If the clip is active the loss is -(1 +- 0.2) A and its gradient 0.
TEST(PpoLearner, ClipByHand) {
  PpoConfig config;
  config.environments = config.steps = 1;
  config.hidden = {};
  config.value_coefficient = 0;
  StandStill(config);
  PpoLearner learner(config, {.agents = 1, .observations = 1, .actions = 1}, torch::kCPU);
  learner.SetObservations(torch::zeros({1, 1, 1}));
  learner.SetActions(torch::ones({1, 1, 1}));
  learner.Values();
  const auto at = [&](float advantage, float log_deviation) {
    learner.log_deviation().fill_(log_deviation);
    learner.SetTargets(torch::full({1, 1}, advantage), torch::zeros({1, 1}));
    const Derivative derivative = Differentiate(learner, config);
    return std::pair{derivative.loss.item<float>(),
                     derivative.gradients.select(1, -1).item<float>()};
  };
  const double s = -0.5, ratio = std::exp(0.5 - std::exp(1.0) / 2 + 0.5);  // 0.698
  // A gain that has become less likely is not clipped: d ratio / ds = ratio (e^(-2s) - 1).
  auto [loss, gradient] = at(2, s);
  EXPECT_NEAR(loss, -2 * ratio, 1e-6);
  EXPECT_NEAR(gradient, -2 * ratio * (std::exp(1.0) - 1), 1e-5);
  // A loss that has become less likely is clipped, at 0.8.
  std::tie(loss, gradient) = at(-2, s);
  EXPECT_NEAR(loss, 1.6, 1e-6);
  EXPECT_EQ(gradient, 0);
  // Without a move, the ratio is 1 and d/ds = z^2 - 1 = 0.
  std::tie(loss, gradient) = at(3, 0);
  EXPECT_EQ(loss, -3);
  EXPECT_EQ(gradient, 0);
}

// A ratio that overflows is clipped like any other: the gradient is 0, not NaN.
TEST(PpoLearner, RatiosThatOverflowAreClipped) {
  PpoConfig config;
  config.environments = config.steps = config.minibatches = config.epochs = 1;
  config.hidden = {};
  config.value_coefficient = 0;
  PpoLearner learner(config, {.agents = 1, .observations = 1, .actions = 1}, torch::kCPU);
  learner.SetObservations(torch::zeros({1, 1, 1}));
  learner.SetActions(torch::full({1, 1, 1}, 20.0f));  // old log-probability -200
  learner.Values();
  learner.policy().layer(0).bias.fill_(20.0f);  // new log-probability 0, so the ratio is e^200
  learner.SetTargets(torch::ones({1, 1}), torch::zeros({1, 1}));
  const UpdateReport report = learner.Update(torch::zeros({1, 1, 1}, torch::kInt64));
  EXPECT_EQ(report.skipped[0], 0);
  EXPECT_EQ(report.gradient_norm[0], 0);
  EXPECT_NEAR(report.policy_loss[0], -1.2, 1e-6);
}

PpoConfig SmallConfig() {
  PpoConfig config;
  config.environments = 8;
  config.steps = 48;
  config.epochs = 2;
  config.minibatches = 3;
  config.hidden = {24, 17};
  return config;
}

// A learner of moderate size with random experience, ready for an update.
struct RandomCase {
  explicit RandomCase(std::vector<int> ids = {0}, const PpoConfig& settings = SmallConfig())
      : config(settings) {
    const auto agents = static_cast<std::int64_t>(ids.size());
    learner = std::make_unique<PpoLearner>(
        config, LearnerShape{.agents = static_cast<int>(agents), .observations = 7, .actions = 3},
        torch::kCPU);
    learner->Initialise(1, ids);
    const std::int64_t batch = config.batch_size();
    torch::manual_seed(1);
    // The same experience for every agent; only their networks differ.
    const auto alike = [&](at::IntArrayRef shape) {
      const torch::Tensor one = torch::randn(shape);
      std::vector<torch::Tensor> all(static_cast<std::size_t>(agents), one);
      return torch::stack(all);
    };
    learner->SetObservations(alike({batch, 7}));
    learner->SetActions(alike({batch, 3}));
    learner->Values();
    advantages = alike({batch});
    returns = alike({batch});
    learner->SetTargets(advantages, returns);
    std::vector<torch::Tensor> orders;
    for (int epoch = 0; epoch < config.epochs; ++epoch) orders.push_back(torch::randperm(batch));
    permutations = torch::stack(orders).unsqueeze(0).expand({agents, -1, -1}).contiguous();
  }

  PpoConfig config;
  std::unique_ptr<PpoLearner> learner;
  torch::Tensor advantages, returns, permutations;
};

// After one step Adam's first moment is a tenth of its input gradient. The limit is half of agent
// 0's norm, so agent 0 gets half of its gradient, and each agent its own share.
TEST(PpoLearner, GradientNormIsScaledPerAgent) {
  PpoConfig config = SmallConfig();
  config.epochs = config.minibatches = 1;
  PpoConfig still = config;
  StandStill(still);
  RandomCase plain({0, 1}, still);
  plain.learner->Update(plain.permutations);
  const torch::Tensor gradients = plain.learner->gradients().clone();
  const torch::Tensor norms = gradients.square().sum(1).sqrt();
  config.max_gradient_norm = norms[0].item<double>() / 2;
  RandomCase scaled({0, 1}, config);
  const UpdateReport report = scaled.learner->Update(scaled.permutations);
  const torch::Tensor share = (config.max_gradient_norm / norms).clamp_max(1).unsqueeze(1);
  EXPECT_NEAR(share[0].item<float>(), 0.5, 1e-6);
  EXPECT_TRUE(torch::allclose(scaled.learner->first_moment(), 0.1 * share * gradients, 1e-4, 1e-7));
  // The report gives the norm before clipping.
  EXPECT_FLOAT_EQ(report.gradient_norm[0], norms[0].item<float>());
  EXPECT_FLOAT_EQ(report.gradient_norm[1], norms[1].item<float>());
  // A norm below the limit is unchanged.
  config.max_gradient_norm = 1e6;
  RandomCase free({0, 1}, config);
  free.learner->Update(free.permutations);
  EXPECT_TRUE(torch::allclose(free.learner->first_moment(), 0.1 * gradients, 1e-5, 1e-9));
}

// The update's own arithmetic recomputes the old log-probabilities. Before any step the ratio of
// every row is therefore exactly 1, at any position in a minibatch. With one advantage of B and all
// others zero, the loss is -B / B in its minibatch and 0 in the two others.
TEST(PpoLearner, TheFirstRatioIsExactlyOne) {
  PpoConfig config = SmallConfig();
  config.value_coefficient = config.learning_rate = 0;
  config.epochs = 1;
  RandomCase c({0}, config);
  const std::int64_t batch = config.batch_size(), size = batch / config.minibatches;
  for (std::int64_t row = 0; row < batch; row += 7) {
    torch::Tensor advantages = torch::zeros({1, batch});
    advantages[0][row] = static_cast<float>(3 * size);
    c.learner->SetTargets(advantages, c.returns);
    ASSERT_EQ(c.learner->Update(c.permutations).policy_loss[0], -1) << "row " << row;
  }
}

// A NaN among the advantages spoils its minibatch in each epoch. Two of six are skipped and
// counted, the others are used, and no stored value is NaN.
TEST(PpoLearner, AMinibatchWithNanIsSkippedAndCounted) {
  RandomCase c;
  c.advantages[0][5] = std::numeric_limits<float>::quiet_NaN();
  c.learner->SetTargets(c.advantages, c.returns);
  const torch::Tensor before = c.learner->parameters().clone();
  const UpdateReport report = c.learner->Update(c.permutations);
  EXPECT_FLOAT_EQ(report.skipped[0], 2.0f / 6);
  EXPECT_TRUE(c.learner->parameters().isfinite().all().item<bool>());
  EXPECT_TRUE(c.learner->first_moment().isfinite().all().item<bool>());
  EXPECT_TRUE(c.learner->second_moment().isfinite().all().item<bool>());
  EXPECT_FALSE(torch::equal(before, c.learner->parameters()));
  EXPECT_TRUE(std::isfinite(report.policy_loss[0]));
  EXPECT_TRUE(std::isfinite(report.value_loss[0]));
  EXPECT_TRUE(std::isfinite(report.gradient_norm[0]));
}

// A NaN of one agent does not affect the other.
TEST(PpoLearner, NanOfOneAgentLeavesTheOtherAlone) {
  RandomCase spoilt({0, 1}), sound({0, 1});
  spoilt.advantages[0].fill_(std::numeric_limits<float>::quiet_NaN());
  spoilt.learner->SetTargets(spoilt.advantages, spoilt.returns);
  const torch::Tensor before = spoilt.learner->parameters().clone();
  const UpdateReport report = spoilt.learner->Update(spoilt.permutations);
  sound.learner->Update(sound.permutations);
  EXPECT_EQ(report.skipped[0], 1);
  EXPECT_EQ(report.skipped[1], 0);
  EXPECT_TRUE(torch::equal(spoilt.learner->parameters()[0], before[0]));
  EXPECT_TRUE(torch::equal(spoilt.learner->parameters()[1], sound.learner->parameters()[1]));
}

// Agents share nothing. Next to another agent, agent 3 learns the same as alone, up to the rounding
// of batched products.
TEST(PpoLearner, AgentsAreIndependent) {
  RandomCase together({1, 3}), alone({3});
  together.learner->Update(together.permutations);
  alone.learner->Update(alone.permutations);
  EXPECT_FALSE(torch::equal(together.learner->parameters()[0], together.learner->parameters()[1]));
  EXPECT_TRUE(torch::allclose(together.learner->parameters()[1], alone.learner->parameters()[0],
                              1e-4, 1e-5));
}

TEST(PpoLearner, EqualRunsGiveEqualBits) {
  RandomCase first, second;
  first.learner->Update(first.permutations);
  second.learner->Update(second.permutations);
  EXPECT_TRUE(torch::equal(first.learner->parameters(), second.learner->parameters()));
}

// W^T W or W W^T, whichever is smaller, is gain^2 times the identity; other agents draw different
// weights.
TEST(PpoLearner, WeightsStartOrthogonal) {
  RandomCase c({0, 1});
  const auto check = [](const torch::Tensor& weight, double gain) {
    const bool tall = weight.size(0) >= weight.size(1);
    const torch::Tensor product =
        tall ? torch::mm(weight.t(), weight) : torch::mm(weight, weight.t());
    EXPECT_TRUE(torch::allclose(product, gain * gain * torch::eye(product.size(0)), 1e-5, 1e-6));
  };
  for (std::size_t layer = 0; layer < 3; ++layer) {
    check(c.learner->policy().layer(layer).weight[0], layer < 2 ? std::sqrt(2.0) : 0.01);
    check(c.learner->value().layer(layer).weight[0], layer < 2 ? std::sqrt(2.0) : 1);
    EXPECT_FALSE(torch::equal(c.learner->policy().layer(layer).weight[0],
                              c.learner->policy().layer(layer).weight[1]));
    EXPECT_EQ(c.learner->policy().layer(layer).bias.abs().max().item<float>(), 0);
  }
  EXPECT_FLOAT_EQ(c.learner->log_deviation().exp().mean().item<float>(), 0.6f);
}

// Rows processed in pieces give the same values as all rows at once: 301 rows, 128 at a time.
TEST(PpoLearner, ValuesOfAnyNumberOfRows) {
  RandomCase c;
  const torch::Tensor observations = torch::randn({1, 301, 7});
  const torch::Tensor values = c.learner->ValuesOf(observations);
  for (const std::int64_t row : {0, 127, 128, 300}) {
    const torch::Tensor alone = c.learner->ValuesOf(observations.narrow(1, row, 1));
    EXPECT_NEAR(values[0][row].item<float>(), alone.item<float>(), 1e-5);
  }
}

TEST(PpoLearner, SettingsThatDoNotFitAreErrors) {
  const auto complaint = [](int environments, int steps, int minibatches) {
    PpoConfig config;
    config.environments = environments;
    config.steps = steps;
    config.minibatches = minibatches;
    return test::ErrorOf([&] { PpoLearner(config, LearnerShape{}, torch::kCPU); });
  };
  EXPECT_NE(complaint(3, 5, 4).find("15 rows"), std::string::npos);
  EXPECT_NE(complaint(1, 2, 8).find("2 rows"), std::string::npos);
}

}  // namespace
}  // namespace rhumb::learn::ppo
