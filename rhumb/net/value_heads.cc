#include "rhumb/net/value_heads.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "rhumb/core/error.h"

namespace rhumb::net {
namespace {

// y[o] = bias[o] + sum_i weights[o, i] x[i]; weights are row-major.
void ApplyRows(std::span<const float> weights, std::span<const float> bias, const float* x,
               int inputs, float* y) {
  const float* row = weights.data();
  for (std::size_t o = 0; o < bias.size(); ++o, row += inputs) {
    float sum = bias[o];
    for (int i = 0; i < inputs; ++i) sum += row[i] * x[i];
    y[o] = sum;
  }
}

// The array's shape. Throws Error unless it has `rank` sizes within the limits.
std::vector<int> ReadShape(const SafetensorsFile& in, const std::string& name, std::size_t rank) {
  const std::vector<std::int64_t>& shape = in.shape(name);
  const bool sound = std::all_of(shape.begin(), shape.end(), [](std::int64_t size) {
    return size >= 1 && size <= kMaxLayerSize;
  });
  if (shape.size() != rank || !sound) {
    Fail("{}: '{}' has shape {}, expected {} sizes from 1 to {}", in.place(), name, shape, rank,
         kMaxLayerSize);
  }
  return {shape.begin(), shape.end()};
}

}  // namespace

void Projections::Apply(const float* code, float* z) const {
  ApplyRows(weights, bias, code, code_size, z);
}

void Projections::Write(SafetensorsWriter& out, const std::string& prefix) const {
  out.Add(prefix + "weight", {labels, size, code_size}, std::span(weights));
  out.Add(prefix + "bias", {labels, size}, std::span(bias));
}

Projections Projections::Read(const SafetensorsFile& in, const std::string& prefix) {
  const std::vector<int> shape = ReadShape(in, prefix + "weight", 3);
  return {shape[0], shape[2], shape[1], in.Floats(prefix + "weight"),
          in.Floats(prefix + "bias", {shape[0], shape[1]})};
}

void LinearHeads::Predict(const float* codes, int rows, float* values) const {
  for (int row = 0; row < rows; ++row) {
    ApplyRows(weights, bias, codes + row * code_size, code_size, values + row * objectives);
  }
}

void LinearHeads::Write(SafetensorsWriter& out, const std::string& prefix) const {
  out.Add(prefix + "weight", {objectives, code_size}, std::span(weights));
  out.Add(prefix + "bias", {objectives}, std::span(bias));
}

LinearHeads LinearHeads::Read(const SafetensorsFile& in, const std::string& prefix) {
  const std::vector<int> shape = ReadShape(in, prefix + "weight", 2);
  return {shape[0], shape[1], in.Floats(prefix + "weight"), in.Floats(prefix + "bias", {shape[0]})};
}

}  // namespace rhumb::net
