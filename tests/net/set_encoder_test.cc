#include "rhumb/net/set_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/net/double_reference.h"
#include "tests/net/sample_model.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::net {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Posterior {
  std::vector<float> mean, log_deviation;
};

// The workspace starts as NaN, so reading an unwritten value shows.
Posterior Encode(const SetEncoder& encoder, const std::vector<float>& tokens) {
  const int count = static_cast<int>(tokens.size()) / encoder.token_size();
  const auto code_size = static_cast<std::size_t>(encoder.code_size());
  std::vector<float> workspace(encoder.workspace_size(count),
                               std::numeric_limits<float>::quiet_NaN());
  Posterior posterior{std::vector<float>(code_size), std::vector<float>(code_size)};
  encoder.Encode(tokens.data(), count, posterior.mean.data(), posterior.log_deviation.data(),
                 workspace);
  return posterior;
}

std::vector<float> Diagonal(int size, float value) {
  std::vector<float> matrix(static_cast<std::size_t>(size * size), 0.0f);
  for (int i = 0; i < size; ++i) matrix[static_cast<std::size_t>(i * (size + 1))] = value;
  return matrix;
}

Mlp Identity(int size) {
  Mlp network({size, size}, Activation::kRelu);
  network.SetLayer(0, Diagonal(size, 1), std::vector<float>(static_cast<std::size_t>(size), 0.0f));
  return network;
}

// The mean of (1, 2) and (3, 6) is (2, 4). The log standard deviations 2 - 20 and 4 are clamped to
// -10 and 2.
TEST(SetEncoder, MeanPoolByHand) {
  SetEncoder encoder;
  encoder.pooling = Pooling::kMean;
  encoder.token_mlp = Identity(2);
  encoder.posterior =
      Layer(2, 4, std::vector<float>{1, 0, 1, 0, 0, 1, 0, 1}, std::vector<float>{0, 0.5f, -20, 0});
  const Posterior posterior = Encode(encoder, {1, 2, 3, 6});
  EXPECT_THAT(posterior.mean, ElementsAre(2, 4.5f));
  EXPECT_THAT(posterior.log_deviation, ElementsAre(-10, 2));
}

// Width 4, no token network, and one head with zero queries and keys. The weights that a test sets
// start as 0.
SetEncoder HandEncoder() {
  const LayerNorm norm{{1, 1, 1, 1}, {0, 0, 0, 0}};
  SetEncoder encoder;
  encoder.heads = 1;
  encoder.token_mlp = Identity(4);
  encoder.class_token = {100, -100, 0, 0};
  encoder.layers.push_back({norm, Layer(4, 12), Layer(4, 4), norm, Layer(4, 1), Layer(1, 4)});
  encoder.last_norm = norm;
  encoder.posterior = Layer(4, 8);
  for (std::size_t i = 0; i < 4; ++i) encoder.posterior.weights[i * 16 + i] = 1;
  return encoder;
}

// Equal scores weight each of three tokens by 1/3. The class token is normalised to sqrt 2 (1, -1,
// 0, 0), the others to sqrt 2 (0, 0, 1, -1). (Their variance is 5000, so the epsilon is 1e-9 of
// it.) The attention is then sqrt 2 / 3 (1, -1, 2, -2). Times 300 / sqrt 2 it is (100, -100, 200,
// -200). Adding the class token gives (200, -200, 200, -200), which is normalised to (1, -1, 1,
// -1).
TEST(SetEncoder, UniformAttentionByHand) {
  SetEncoder encoder = HandEncoder();
  TransformerLayer& layer = encoder.layers[0];
  for (std::size_t i = 0; i < 4; ++i) {
    layer.queries_keys_values.weights[i * 16 + 8 + i] = 1;
    layer.attention_output.weights[i * 16 + i] = 300 / std::sqrt(2.0f);
  }
  const Posterior posterior = Encode(encoder, {0, 0, 100, -100, 0, 0, 100, -100});
  const float expected[] = {1, -1, 1, -1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(posterior.mean[i], expected[i], 1e-6);
    EXPECT_EQ(posterior.log_deviation[i], 0);
  }
}

// gelu(1) = Phi(1) = 0.84134475. 100 / Phi(1) times that is added as (0, 0, 100, -100).
TEST(SetEncoder, FeedForwardByHand) {
  SetEncoder encoder = HandEncoder();
  TransformerLayer& layer = encoder.layers[0];
  layer.feed_in.bias[0] = 1;
  layer.feed_out.weights[2] = 100 / 0.84134475f;
  layer.feed_out.weights[3] = -100 / 0.84134475f;
  const Posterior posterior = Encode(encoder, {5, 6, 7, 8});
  const float expected[] = {1, -1, 1, -1};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(posterior.mean[i], expected[i], 1e-6);
}

// A reference in double that follows the formulas.
using Rows = std::vector<Vector>;

Vector Apply(const LayerNorm& norm, const Vector& x) {
  double mean = 0, variance = 0;
  for (const double value : x) mean += value / static_cast<double>(x.size());
  for (const double value : x) {
    variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
  }
  Vector y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y.push_back((x[i] - mean) / std::sqrt(variance + 1e-5) * norm.weight[i] + norm.bias[i]);
  }
  return y;
}

Vector AttendTo(const Rows& projected, std::size_t token, std::size_t width, std::size_t heads) {
  const std::size_t size = width / heads;
  Vector out;
  for (std::size_t head = 0; head < heads; ++head) {
    Vector weights;
    double total = 0;
    for (const Vector& other : projected) {
      double score = 0;
      for (std::size_t d = 0; d < size; ++d) {
        score += projected[token][head * size + d] * other[width + head * size + d];
      }
      weights.push_back(std::exp(score / std::sqrt(static_cast<double>(size))));
      total += weights.back();
    }
    for (std::size_t d = 0; d < size; ++d) {
      out.push_back(0);
      for (std::size_t j = 0; j < projected.size(); ++j) {
        out.back() += weights[j] / total * projected[j][2 * width + head * size + d];
      }
    }
  }
  return out;
}

void AddTo(Vector& x, const Vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}

// Means, then log standard deviations.
Vector ReferenceEncode(const SetEncoder& encoder, const std::vector<float>& tokens) {
  const auto size = static_cast<std::size_t>(encoder.token_size());
  Rows stream;
  if (encoder.pooling == Pooling::kClassToken) {
    stream.push_back(
        Apply(encoder.token_mlp, {encoder.class_token.begin(), encoder.class_token.end()}));
  }
  for (std::size_t i = 0; i < tokens.size(); i += size) {
    const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(i);
    stream.push_back(Apply(encoder.token_mlp, Vector(at, at + static_cast<std::ptrdiff_t>(size))));
  }
  Vector pooled(stream[0].size(), 0.0);
  if (encoder.pooling == Pooling::kMean) {
    for (const Vector& token : stream) AddTo(pooled, token);
    for (double& value : pooled) value /= static_cast<double>(stream.size());
  } else {
    for (const TransformerLayer& layer : encoder.layers) {
      Rows projected;
      for (const Vector& x : stream) {
        projected.push_back(Apply(layer.queries_keys_values, Apply(layer.attention_norm, x)));
      }
      for (std::size_t i = 0; i < stream.size(); ++i) {
        AddTo(stream[i],
              Apply(layer.attention_output, AttendTo(projected, i, pooled.size(),
                                                     static_cast<std::size_t>(encoder.heads))));
        Vector hidden = Apply(layer.feed_in, Apply(layer.feed_norm, stream[i]));
        for (double& value : hidden) value *= 0.5 * (1 + std::erf(value / std::sqrt(2.0)));
        AddTo(stream[i], Apply(layer.feed_out, hidden));
      }
    }
    pooled = Apply(encoder.last_norm, stream[0]);
  }
  Vector outputs = Apply(encoder.posterior, pooled);
  for (std::size_t i = outputs.size() / 2; i < outputs.size(); ++i) {
    outputs[i] = std::clamp(outputs[i], -10.0, 2.0);
  }
  return outputs;
}

class RandomSetEncoder : public ::testing::TestWithParam<Pooling> {
 protected:
  static constexpr int kTokenSize = 5, kCodeSize = 6;
  SetEncoder Draw() { return SampleEncoder(kTokenSize, kCodeSize, GetParam(), weights_); }
  SampleWeights weights_{3};
};

INSTANTIATE_TEST_SUITE_P(Poolings, RandomSetEncoder,
                         ::testing::Values(Pooling::kClassToken, Pooling::kMean));

// Numbers are of order 1 with about ten float roundings each, so two implementations must agree to
// 1e-5.
TEST_P(RandomSetEncoder, EqualsAPlainReference) {
  const SetEncoder encoder = Draw();
  for (const int count : {1, 2, 15, 16, 32, 50}) {
    const std::vector<float> tokens = weights_.Draw(count * kTokenSize);
    const Posterior posterior = Encode(encoder, tokens);
    const Vector expected = ReferenceEncode(encoder, tokens);
    for (std::size_t i = 0; i < kCodeSize; ++i) {
      EXPECT_NEAR(posterior.mean[i], expected[i], 1e-5) << count;
      EXPECT_NEAR(posterior.log_deviation[i], expected[kCodeSize + i], 1e-5) << count;
    }
  }
}

// Only the order of sums over tokens differs, so the codes agree up to rounding.
TEST_P(RandomSetEncoder, OrderOfTheTokensDoesNotMatter) {
  const SetEncoder encoder = Draw();
  std::vector<float> tokens = weights_.Draw(32 * kTokenSize);
  const Posterior before = Encode(encoder, tokens);
  std::rotate(tokens.begin(), tokens.begin() + 11 * kTokenSize, tokens.end());
  std::swap_ranges(tokens.begin(), tokens.begin() + kTokenSize, tokens.begin() + 9 * kTokenSize);
  const Posterior after = Encode(encoder, tokens);
  for (std::size_t i = 0; i < kCodeSize; ++i) {
    EXPECT_NEAR(before.mean[i], after.mean[i], 1e-5);
    EXPECT_NEAR(before.log_deviation[i], after.log_deviation[i], 1e-5);
  }
  // The tokens' values do matter.
  tokens[0] += 1;
  EXPECT_NE(Encode(encoder, tokens).mean, after.mean);
}

TEST_P(RandomSetEncoder, AllocatesNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer counts the allocations";
  const SetEncoder encoder = Draw();
  const std::vector<float> tokens = weights_.Draw(32 * kTokenSize);
  std::vector<float> workspace(encoder.workspace_size(32)), mean(kCodeSize), deviation(kCodeSize);
  const test::AllocationCount allocations;
  encoder.Encode(tokens.data(), 32, mean.data(), deviation.data(), workspace);
  EXPECT_EQ(allocations.since_construction(), 0u);
}

TEST_P(RandomSetEncoder, RoundTripIsExact) {
  const test::ScratchFolder folder;
  const SetEncoder encoder = Draw();
  SafetensorsWriter out, again;
  encoder.Write(out, "e.");
  const SetEncoder back = SetEncoder::Read(
      SafetensorsFile(folder.Write("e.safetensors", out.Bytes())), "e.", GetParam(), 3);
  back.Write(again, "e.");
  EXPECT_EQ(out.Bytes(), again.Bytes());
  const std::vector<float> tokens = weights_.Draw(8 * kTokenSize);
  EXPECT_EQ(Encode(back, tokens).mean, Encode(encoder, tokens).mean);
}

TEST(SetEncoderRead, ShapesThatDoNotFitAreErrors) {
  const test::ScratchFolder folder;
  const auto complaint = [&](const std::string& name, const SafetensorsWriter::Shape& shape,
                             int heads) {
    SampleWeights weights(3);
    SafetensorsWriter out;
    SampleEncoder(5, 6, Pooling::kClassToken, weights).Write(out, "e.");
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    if (!name.empty()) {
      out.Add("e." + name, shape, std::vector<float>(static_cast<std::size_t>(count), 1.0f));
    }
    const SafetensorsFile file(folder.Write("e.safetensors", out.Bytes()));
    return test::ErrorOf([&] { SetEncoder::Read(file, "e.", Pooling::kClassToken, heads); });
  };
  EXPECT_EQ(complaint("", {}, 3), "");
  EXPECT_THAT(complaint("", {}, 5), AllOf(HasSubstr("e.safetensors"), HasSubstr("5 heads")));
  EXPECT_THAT(complaint("", {}, 0), HasSubstr("0 heads"));
  for (const std::string name :
       {"token.1.weight", "posterior.weight", "class_token", "layers.1.attention_norm.weight",
        "layers.1.feed_norm.bias", "layers.1.queries_keys_values.weight", "last_norm.weight",
        "layers.1.attention_output.weight", "layers.1.feed_in.weight", "layers.1.feed_out.weight",
        "layers.1.feed_out.bias"}) {
    EXPECT_THAT(complaint(name, {7, 7}, 3), AllOf(HasSubstr("e.safetensors"), HasSubstr(name)));
  }
}

}  // namespace
}  // namespace rhumb::net
