#include "rhumb/learn/device/batched_mlp.h"

#include <gtest/gtest.h>

#include <vector>

namespace rhumb::learn::device {
namespace {

TEST(BatchedMlp, CountsItsParameters) {
  EXPECT_EQ(BatchedMlp::parameter_count({3, 4, 2}), 3 * 4 + 4 + 4 * 2 + 2);
}

// One layer: y = 2 a - b + 3. The gradient 1 of y gives dW = x and db = 1.
TEST(BatchedMlp, OneLayerByHand) {
  const torch::Tensor parameters = torch::tensor({{9.0f, 2.0f, -1.0f, 3.0f}});
  const torch::Tensor gradients = torch::zeros_like(parameters);
  std::int64_t offset = 1;  // another network comes first
  BatchedMlp network({2, 1}, net::Activation::kRelu, parameters, gradients, offset);
  EXPECT_EQ(offset, 4);
  network.Reserve(1);
  const torch::Tensor x = torch::tensor({{{5.0f, 4.0f}}});
  EXPECT_EQ(network.Forward(x).item<float>(), 9);
  network.Backward(x, torch::ones({1, 1, 1}), /*accumulate=*/false);
  EXPECT_TRUE(torch::equal(gradients, torch::tensor({{0.0f, 5.0f, 4.0f, 1.0f}})));
  network.Backward(x, torch::ones({1, 1, 1}), /*accumulate=*/true);
  EXPECT_TRUE(torch::equal(gradients, torch::tensor({{0.0f, 10.0f, 8.0f, 2.0f}})));
}

// Loss = sum of the outputs times fixed weights, for one network and for two of them together.
TEST(BatchedMlp, GradientsEqualAutograd) {
  torch::manual_seed(1);
  const std::vector<int> sizes = {3, 5, 2};
  for (const auto activation :
       {net::Activation::kRelu, net::Activation::kElu, net::Activation::kTanh}) {
    for (const std::int64_t agents : {1, 2}) {
      const torch::Tensor parameters =
          torch::randn({agents, BatchedMlp::parameter_count(sizes)}).requires_grad_();
      const torch::Tensor x = torch::randn({agents, 7, 3}),
                          by_output = torch::randn({agents, 7, 2});
      const auto part = [&](std::int64_t first, std::int64_t rows, std::int64_t columns) {
        return parameters.narrow(1, first, rows * columns).view({agents, rows, columns});
      };
      torch::Tensor hidden = x.matmul(part(0, 3, 5)) + part(15, 1, 5);
      hidden = activation == net::Activation::kRelu  ? hidden.relu()
               : activation == net::Activation::kElu ? torch::elu(hidden)
                                                     : hidden.tanh();
      const torch::Tensor expected = hidden.matmul(part(20, 5, 2)) + part(30, 1, 2);
      (expected * by_output).sum().backward();

      const torch::NoGradGuard no_grad;
      const torch::Tensor gradients = torch::zeros_like(parameters);
      std::int64_t offset = 0;
      BatchedMlp network(sizes, activation, parameters.detach(), gradients, offset);
      network.Reserve(7);
      EXPECT_TRUE(torch::allclose(network.Forward(x), expected, 1e-5, 1e-6)) << agents;
      network.Backward(x, by_output, /*accumulate=*/false);
      EXPECT_TRUE(torch::allclose(gradients, parameters.grad(), 1e-5, 1e-5)) << agents;
    }
  }
}

}  // namespace
}  // namespace rhumb::learn::device
