#include "rhumb/net/value_heads.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/math/conservative_rank.h"

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

float HeadEnsemble::ResidualQuantile(int objective, double level) const {
  const std::vector<float>& sorted = residuals.at(static_cast<std::size_t>(objective));
  RHUMB_CHECK(!sorted.empty() && level >= 0 && level <= 1, "{} residuals, level {}", sorted.size(),
              level);
  return sorted[core::ConservativeRank(sorted.size(), level)];
}

void HeadEnsemble::Write(SafetensorsWriter& out, const std::string& prefix) const {
  out.Add(prefix + "code_mean", {code_size()}, std::span(code_mean));
  out.Add(prefix + "code_inverse_scale", {code_size()}, std::span(code_inverse_scale));
  for (std::size_t m = 0; m < members.size(); ++m) {
    members[m].Write(out, fmt::format("{}members.{}", prefix, m));
  }
  std::vector<float> all;
  for (const std::vector<float>& one : residuals) all.insert(all.end(), one.begin(), one.end());
  out.Add(prefix + "residuals", {objectives(), static_cast<std::int64_t>(residuals.front().size())},
          all);
  out.Add(prefix + "noise", {objectives()}, std::span(noise));
  out.Add(prefix + "episodes", {1}, std::vector<std::int64_t>{episodes});
  out.SetMetadata(prefix + "activation", kActivationNames.NameOf(members.front().activation()));
}

HeadEnsemble HeadEnsemble::Read(const SafetensorsFile& in, const std::string& prefix) {
  HeadEnsemble heads;
  const int code_size = ReadShape(in, prefix + "code_mean", 1)[0];
  heads.code_mean = in.Floats(prefix + "code_mean");
  heads.code_inverse_scale = in.PositiveFloats(prefix + "code_inverse_scale", {code_size});
  const Activation activation = ReadActivation(in, prefix + "activation");
  for (int m = 0; m == 0 || in.Has(fmt::format("{}members.{}.0.weight", prefix, m)); ++m) {
    const std::string name = fmt::format("{}members.{}", prefix, m);
    heads.members.push_back(Mlp::Read(in, name, activation, code_size));
    if (heads.members.back().sizes() != heads.members.front().sizes()) {
      Fail("{}: '{}' differs in size from the members before it", in.place(), name);
    }
  }
  const int objectives = heads.objectives();
  const int count = ReadShape(in, prefix + "residuals", 2)[1];
  const std::vector<float> all = in.Floats(prefix + "residuals", {objectives, count});
  for (int k = 0; k < objectives; ++k) {
    const auto begin = all.begin() + k * count;
    if (!std::is_sorted(begin, begin + count)) {
      Fail("{}: row {} of '{}residuals' is not in ascending order", in.place(), k, prefix);
    }
    heads.residuals.emplace_back(begin, begin + count);
  }
  heads.noise = in.Floats(prefix + "noise", {objectives});
  if (*std::min_element(heads.noise.begin(), heads.noise.end()) < 0) {
    Fail("{}: an element of '{}noise' is below 0", in.place(), prefix);
  }
  const std::vector<std::int64_t> episodes = in.Integers(prefix + "episodes");
  if (episodes.size() != 1 || episodes[0] < 1 || episodes[0] > 1 << 30) {
    Fail("{}: '{}episodes' must be one number from 1 to 2^30", in.place(), prefix);
  }
  heads.episodes = static_cast<int>(episodes[0]);
  return heads;
}

}  // namespace rhumb::net
