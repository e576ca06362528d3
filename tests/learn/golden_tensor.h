// Reads committed golden values into tensors, and compares tensors with them.
#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace rhumb::learn {

// Reads tests/learn/golden/<name>.json.
inline nlohmann::json ReadGolden(const std::string& name) {
  return nlohmann::json::parse(
      test::Contents(std::filesystem::path(std::getenv("RHUMB_SOURCE_DIR")) / "tests/learn/golden" /
                     (name + ".json")));
}

// A number or nested rows, in double.
inline torch::Tensor ToTensor(const nlohmann::json& values) {
  if (!values.is_array()) return torch::tensor(values.get<double>(), torch::kFloat64);
  std::vector<torch::Tensor> rows;
  for (const nlohmann::json& row : values) rows.push_back(ToTensor(row));
  return torch::stack(rows);
}

// Compares floats with golden doubles, to 1e-5 of each number. If sums cancel, a few roundings
// (6e-8) of `scale`, the size of the terms, are allowed too.
inline void ExpectClose(const torch::Tensor& actual, const torch::Tensor& expected,
                        const std::string& what, double scale) {
  ASSERT_EQ(actual.sizes(), expected.sizes()) << what;
  const torch::Tensor values = actual.detach().to(torch::kFloat64);
  EXPECT_TRUE(torch::allclose(values, expected, 1e-5, 3e-7 * scale))
      << what << ": largest difference " << (values - expected).abs().max().item<double>()
      << " of numbers up to " << expected.abs().max().item<double>();
}

// The same with the largest expected number as the scale.
inline void ExpectClose(const torch::Tensor& actual, const torch::Tensor& expected,
                        const std::string& what) {
  ExpectClose(actual, expected, what, expected.abs().max().item<double>());
}

}  // namespace rhumb::learn
