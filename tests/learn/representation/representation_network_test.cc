#include "rhumb/learn/representation/representation_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rhumb/learn/representation/rank_contrast.h"
#include "rhumb/learn/representation/representation_losses.h"
#include "tests/learn/golden_tensor.h"
#include "tests/learn/representation/decoder_reference.h"
#include "tests/support/error_expectation.h"

namespace rhumb::learn::representation {
namespace {

using nlohmann::json;

torch::Tensor Floats(const json& values) { return ToTensor(values).to(torch::kFloat32); }

// The golden network with its weights, and one pass through it.
struct GoldenCase {
  explicit GoldenCase(const std::string& deviation)
      : file(ReadGolden("representation")["network"]) {
    const json& sizes = file["sizes"];
    config.deviation = kDeviationSourceNames.Parse(deviation);
    config.code = sizes["code"];
    config.projection = sizes["projection"];
    config.attention_heads = sizes["attention_heads"];
    config.layers = sizes["layers"];
    config.hidden = sizes["hidden"];
    golden = file["deviation"][deviation];
    network = std::make_unique<RepresentationNetwork>(
        config, RepresentationShape{.observations = sizes["observations"],
                                    .actions = sizes["actions"],
                                    .labels = sizes["labels"]});
    const torch::NoGradGuard no_grad;
    const std::vector<std::string> names = network->named_parameters().keys();
    for (std::size_t i = 0; i < names.size(); ++i) {
      network->parameters()[i].copy_(ToTensor(golden["parameters"].at(names[i])));
    }
  }

  torch::Tensor input(const char* name) const { return Floats(file["inputs"][name]); }
  double weight(const char* name) const { return file["weights"][name]; }

  json file, golden;
  RepresentationConfig config;
  std::unique_ptr<RepresentationNetwork> network;
};

class GoldenNetwork : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Deviations, GoldenNetwork, ::testing::Values("code", "state"),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(GoldenNetwork, NamesEveryParameter) {
  const GoldenCase c(GetParam());
  EXPECT_EQ(c.network->parameters().size(), c.golden["parameters"].size());
  EXPECT_EQ(c.network->named_parameters().keys().size(), c.golden["parameters"].size());
}

// Forward and backward pass of the whole training loss. Some log-deviations of codes and actions
// lie beyond their ranges, where the gradient is 0.
TEST_P(GoldenNetwork, OutputsLossAndGradientsEqualAutograd) {
  const GoldenCase c(GetParam());
  const Gaussian posterior = c.network->encoder->forward(c.input("tokens"), DropoutMasks());
  const torch::Tensor code = posterior.mean + posterior.log_deviation.exp() * c.input("noise");
  const Gaussian actions = Decode(c.network->decoder, c.input("states"), code);
  const torch::Tensor z = c.network->projections->forward(code);
  ExpectClose(posterior.mean, ToTensor(c.golden["mean"]), "mean of the posterior");
  ExpectClose(posterior.log_deviation, ToTensor(c.golden["log_deviation"]), "its log-deviation");
  ExpectClose(actions.mean, ToTensor(c.golden["action_mean"]), "mean of the actions");
  ExpectClose(actions.log_deviation.expand_as(actions.mean),
              ToTensor(c.golden["action_log_deviation"]), "their log-deviation");
  ExpectClose(z, ToTensor(c.golden["z"]), "projections");

  const torch::Tensor reconstruction =
      GaussianKl(c.input("teacher_mean"), c.input("teacher_log_deviation"), actions.mean,
                 actions.log_deviation);
  const torch::Tensor kl = PosteriorKl(posterior.mean, posterior.log_deviation);
  const torch::Tensor contrast =
      RankContrast(z, RankLabels(c.input("labels")), c.weight("temperature"));
  const torch::Tensor orthonormality = Orthonormality(c.network->projections->weights(), false);
  const torch::Tensor loss = reconstruction + c.weight("beta") * kl + c.weight("alpha") * contrast +
                             c.weight("zeta") * orthonormality;
  const json& losses = c.golden["losses"];
  ExpectClose(reconstruction, ToTensor(losses["reconstruction"]), "reconstruction");
  ExpectClose(kl, ToTensor(losses["posterior"]), "KL of the posterior");
  ExpectClose(contrast, ToTensor(losses["contrast"]), "contrast");
  ExpectClose(orthonormality, ToTensor(losses["orthonormality"]), "orthonormality");
  ExpectClose(loss, ToTensor(c.golden["loss"]), "loss");

  loss.backward();
  double largest = 0;
  for (const json& gradient : c.golden["gradients"]) {
    largest = std::max(largest, ToTensor(gradient).abs().max().item<double>());
  }
  const std::vector<std::string> names = c.network->named_parameters().keys();
  const std::vector<torch::Tensor> parameters = c.network->parameters();
  for (std::size_t i = 0; i < names.size(); ++i) {
    ASSERT_TRUE(parameters[i].grad().defined()) << names[i];
    ExpectClose(parameters[i].grad(), ToTensor(c.golden["gradients"].at(names[i])), names[i],
                largest);
  }
}

constexpr RepresentationShape kShape{.observations = 5, .actions = 3, .labels = 2};

// No size is a multiple of the vector width.
RepresentationConfig SmallConfig(const std::string& variant = "ours",
                                 const std::string& deviation = "code") {
  RepresentationConfig config;
  config.variant = kVariantNames.Parse(variant);
  config.deviation = kDeviationSourceNames.Parse(deviation);
  config.code = 12;
  config.attention_heads = 3;
  config.projection = 2;
  config.hidden = 50;
  return config;
}

// Moves away from the initial values, so that no bias is 0 and no norm is 1.
RepresentationNetwork MovedNetwork(const RepresentationConfig& config,
                                   const RepresentationShape& shape = kShape) {
  RepresentationNetwork network(config, shape);
  network.Initialise(1);
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& parameter : network.parameters()) {
    parameter.add_(0.1 * torch::randn_like(parameter));
  }
  return network;
}

torch::Tensor RandomTokens(std::int64_t n, std::int64_t context,
                           const RepresentationShape& shape = kShape) {
  return torch::randn({n, context, shape.observations + shape.actions});
}

// The order of a set does not matter, up to rounding in another order of sums; its members do.
TEST(SetEncoder, PermutedTokensHaveTheSameCode) {
  for (const char* variant : {"ours", "mean_pool"}) {
    RepresentationNetwork network = MovedNetwork(SmallConfig(variant));
    const torch::Tensor tokens = RandomTokens(4, 9);
    const Gaussian code = network.encoder->forward(tokens, DropoutMasks());
    const Gaussian permuted =
        network.encoder->forward(tokens.index_select(1, torch::randperm(9)), DropoutMasks());
    EXPECT_TRUE(torch::allclose(permuted.mean, code.mean, 1e-5, 1e-6));
    EXPECT_TRUE(torch::allclose(permuted.log_deviation, code.log_deviation, 1e-5, 1e-6));
    const Gaussian fewer = network.encoder->forward(tokens.narrow(1, 0, 8), DropoutMasks());
    EXPECT_FALSE(torch::allclose(fewer.mean, code.mean, 1e-2, 1e-3));
  }
}

// A context does not depend on the others of its batch.
TEST(SetEncoder, ContextsAreIndependent) {
  RepresentationNetwork network = MovedNetwork(SmallConfig());
  const torch::Tensor tokens = RandomTokens(4, 9);
  const torch::Tensor together = network.encoder->forward(tokens, DropoutMasks()).mean;
  const torch::Tensor alone = network.encoder->forward(tokens.narrow(0, 2, 1), DropoutMasks()).mean;
  EXPECT_TRUE(torch::allclose(together.narrow(0, 2, 1), alone, 1e-5, 1e-6));
}

// Runs the same weights through net, without libtorch. Sums have another order and the exponential
// differs, so numbers of size 1 agree to some tens of roundings of 6e-8.
void ExpectForwardsAgree(const RepresentationConfig& config, const RepresentationShape& shape) {
  SCOPED_TRACE(kVariantNames.NameOf(config.variant) + ", deviation from " +
               kDeviationSourceNames.NameOf(config.deviation));
  RepresentationNetwork network = MovedNetwork(config, shape);
  const int context = 11, queries = 6;
  const torch::Tensor tokens = RandomTokens(3, context, shape);
  const torch::Tensor states = torch::randn({3, queries, shape.observations});
  const torch::NoGradGuard no_grad;
  const Gaussian posterior = network.encoder->forward(tokens, DropoutMasks());
  const Gaussian actions = Decode(network.decoder, states, posterior.mean);
  const torch::Tensor z = network.projections->forward(posterior.mean);

  const net::SetEncoder encoder = network.encoder->Export();
  const net::Decoder decoder = network.decoder->Export();
  const net::Projections projections = network.projections->Export();
  ASSERT_EQ(encoder.token_size(), shape.observations + shape.actions);
  ASSERT_EQ(encoder.code_size(), config.code);
  ASSERT_EQ(decoder.action_size(), shape.actions);
  std::vector<float> workspace(
      std::max(encoder.workspace_size(context), decoder.workspace_size(queries)));
  const auto expect_near = [](const torch::Tensor& expected, const torch::Tensor& actual,
                              const char* what) {
    EXPECT_LT((expected - actual).abs().max().item<float>(), 1e-5) << what;
  };
  for (std::int64_t i = 0; i < 3; ++i) {
    torch::Tensor mean = torch::empty({config.code}), log_deviation = torch::empty({config.code});
    encoder.Encode(tokens[i].data_ptr<float>(), context, mean.data_ptr<float>(),
                   log_deviation.data_ptr<float>(), workspace);
    expect_near(posterior.mean[i], mean, "mean of the posterior");
    expect_near(posterior.log_deviation[i], log_deviation, "its log-deviation");

    // Starts from libtorch's code, so that no difference counts twice.
    const torch::Tensor code = posterior.mean[i].contiguous();
    std::vector<float> prepared(decoder.prepared_size());
    decoder.Prepare(code.data_ptr<float>(), prepared.data(), workspace);
    const std::vector<const float*> rows(queries, prepared.data());
    torch::Tensor action = torch::empty({queries, shape.actions});
    torch::Tensor action_log_deviation = torch::empty({queries, shape.actions});
    decoder.Forward(states[i].data_ptr<float>(), rows.data(), queries, action.data_ptr<float>(),
                    action_log_deviation.data_ptr<float>(), workspace);
    expect_near(actions.mean[i], action, "mean of the actions");
    expect_near(actions.log_deviation[i].expand_as(action), action_log_deviation,
                "their log-deviation");

    torch::Tensor projected = torch::empty({shape.labels, config.projection});
    projections.Apply(code.data_ptr<float>(), projected.data_ptr<float>());
    expect_near(z.select(1, i), projected, "projections");
  }
}

TEST(RepresentationNetwork, ForwardEqualsTheTorchFreeOne) {
  for (const char* deviation : {"code", "state"}) {
    for (const char* variant :
         {"ours", "vae", "mean_pool", "free_projections", "infonce", "autoencoder"}) {
      ExpectForwardsAgree(SmallConfig(variant, deviation), kShape);
    }
  }
  // The default training sizes, on HalfCheetah.
  ExpectForwardsAgree(RepresentationConfig{}, {.observations = 17, .actions = 6, .labels = 2});
}

// A pass uses exactly mask_count elements: with one fewer, torch reports an error.
TEST(DropoutMasks, APassTakesExactlyItsCount) {
  const torch::NoGradGuard no_grad;
  for (const char* variant : {"ours", "mean_pool"}) {
    RepresentationNetwork network = MovedNetwork(SmallConfig(variant));
    const torch::Tensor tokens = RandomTokens(4, 9);
    const std::int64_t count = network.encoder->mask_count(4, 9);
    const torch::Tensor plain = network.encoder->forward(tokens, DropoutMasks()).mean;
    const torch::Tensor kept =
        network.encoder->forward(tokens, DropoutMasks(torch::ones({count}), 0.1)).mean;
    EXPECT_TRUE(torch::equal(plain, kept)) << "a mask of ones drops nothing";
    EXPECT_THROW(network.encoder->forward(tokens, DropoutMasks(torch::ones({count - 1}), 0.1)),
                 c10::Error);
    // Every element matters: a NaN at the very end reaches the code of the last context.
    torch::Tensor spoilt = torch::ones({count});
    spoilt[count - 1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(network.encoder->forward(tokens, DropoutMasks(spoilt, 0.1))
                    .mean[3]
                    .isnan()
                    .any()
                    .item<bool>());
  }
}

// By hand: 9 tokens of 8 numbers. The first of two layers has 3 heads x 10 x 10 weights and twice
// 10 x 12 outputs. The last layer has only the class token's row: 3 x 10 and twice 12.
TEST(DropoutMasks, CountByHand) {
  RepresentationNetwork network(SmallConfig(), kShape);
  EXPECT_EQ(network.encoder->mask_count(1, 9), 9 * 8 + (300 + 240) + (30 + 24));
  EXPECT_EQ(network.encoder->mask_count(4, 9), 4 * network.encoder->mask_count(1, 9));
  RepresentationNetwork pooled(SmallConfig("mean_pool"), kShape);
  EXPECT_EQ(pooled.encoder->mask_count(2, 9), 2 * 9 * 8);
}

// The first mask elements belong to the tokens; if they are 0, so are the tokens.
TEST(DropoutMasks, DroppedTokensAreZero) {
  RepresentationNetwork network = MovedNetwork(SmallConfig());
  const torch::Tensor tokens = RandomTokens(4, 9);
  torch::Tensor masks = torch::ones({network.encoder->mask_count(4, 9)});
  masks.narrow(0, 0, tokens.numel()).zero_();
  const torch::Tensor dropped = network.encoder->forward(tokens, DropoutMasks(masks, 0.1)).mean;
  const torch::Tensor zeros =
      network.encoder->forward(torch::zeros_like(tokens), DropoutMasks()).mean;
  EXPECT_TRUE(torch::equal(dropped, zeros));
}

TEST(RepresentationNetwork, InitialisationRepeats) {
  RepresentationNetwork first(SmallConfig(), kShape), again(SmallConfig(), kShape),
      other(SmallConfig(), kShape);
  first.Initialise(1);
  again.Initialise(1);
  other.Initialise(2);
  bool all_equal = true;
  for (std::size_t i = 0; i < first.parameters().size(); ++i) {
    EXPECT_TRUE(torch::equal(first.parameters()[i], again.parameters()[i]))
        << first.named_parameters().keys()[i];
    all_equal = all_equal && torch::equal(first.parameters()[i], other.parameters()[i]);
  }
  EXPECT_FALSE(all_equal);
}

// U U^T is the identity, up to the rounding of 32 products of floats, and each label has its own U.
TEST(RepresentationNetwork, ProjectionsStartSemiOrthonormal) {
  RepresentationNetwork network(RepresentationConfig{}, kShape);
  network.Initialise(3);
  const torch::Tensor& weights = network.projections->weights();
  const torch::Tensor products = weights.matmul(weights.transpose(1, 2));
  EXPECT_TRUE(torch::allclose(products, torch::eye(4).expand({2, 4, 4}), 0, 1e-6));
  EXPECT_FALSE(torch::allclose(weights[0], weights[1]));
  EXPECT_LT(Orthonormality(weights, false).item<float>(), 1e-12);
}

// Uniform within 1/sqrt(inputs), with standard deviation 1/sqrt(3 inputs), which 256 x 256 draws
// estimate to 0.3 %. The joint layer has 256 + 32 inputs, although it is stored in two pieces.
TEST(RepresentationNetwork, LinearLayersStartAsPyTorchsDo) {
  RepresentationNetwork network(RepresentationConfig{}, kShape);
  network.Initialise(3);
  const auto named = network.decoder->named_parameters();
  const auto check = [&](const char* name, double inputs, double tolerance) {
    const torch::Tensor& values = named[name];
    const double limit = 1 / std::sqrt(inputs);
    EXPECT_LE(values.abs().max().item<double>(), limit * (1 + 1e-6)) << name;
    EXPECT_NEAR(values.std().item<double>() / limit * std::sqrt(3.0), 1, tolerance) << name;
  };
  check("joint_hidden.weight", 256, 0.015);
  check("joint_state.weight", 288, 0.015);
  check("joint_code.weight", 288, 0.05);
  check("joint_code.bias", 288, 0.2);
  check("joint_hidden.bias", 256, 0.2);
}

TEST(RepresentationNetwork, SizesThatDoNotFitAreErrors) {
  const auto complaint = [](const RepresentationConfig& config) {
    return test::ErrorOf([&] { RepresentationNetwork(config, kShape); });
  };
  RepresentationConfig config = SmallConfig();
  config.attention_heads = 5;
  EXPECT_NE(complaint(config).find("attention_heads is 5"), std::string::npos);
  config = SmallConfig();
  config.projection = 13;
  EXPECT_NE(complaint(config).find("projection is 13"), std::string::npos);
  EXPECT_EQ(complaint(SmallConfig()), "");
}

}  // namespace
}  // namespace rhumb::learn::representation
