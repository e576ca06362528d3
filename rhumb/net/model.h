// A trained model: everything that steering and acting need, without libtorch.
//
//   <folder>/model.safetensors   networks, heads, normalisers, codes with their returns, map;
//                                weights are [inputs, outputs]
//   <folder>/model.json          architecture, environment, objectives, provenance, metrics
//   <folder>/environment/        the environment's files: spec, MJCF and the files it refers to
//   <folder>/README.md           the model card
//   <folder>/map.png             a picture of the codes, if it was drawn
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/core/math/spread.h"
#include "rhumb/core/names.h"
#include "rhumb/net/decoder.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/net/set_encoder.h"
#include "rhumb/net/value_heads.h"

namespace rhumb::net {

// How a decoder acts: it samples from its Gaussian, or takes the mean. Codes are rolled out
// for one mode.
enum class RolloutMode { kSampled, kMean };
constexpr int kRolloutModeCount = 2;
inline const core::Names<RolloutMode> kRolloutModeNames = {{RolloutMode::kSampled, "sampled"},
                                                           {RolloutMode::kMean, "mean"}};
std::string_view NameOf(RolloutMode mode);
// Throws Error with the known modes for any other word.
RolloutMode ParseRolloutMode(std::string_view word);

// A value of a whole episode that can be steered. It is an objective of the environment (its
// undiscounted return), or an attribute such as "mean(torso_height)".
struct ModelObjective {
  std::string name;
  std::string unit;
  std::string expression;  // "" for an objective of the environment
  // Statistics of the labels of the training episodes. Heads predict (v - mean) / std.
  double mean = 0, std = 1, min = 0, max = 0;

  void DescribeLabels(const core::Spread& labels) {
    mean = labels.mean, std = labels.std, min = labels.min, max = labels.max;
  }
};

struct ModelDescription {
  std::string variant;  // "ours", or the name of the baseline
  core::EnvironmentBundle environment;
  int time_limit = 0;  // steps; 0: unknown
  int context = 32;    // context size used in training, in tokens
  // The first `shaping_labels` objectives shaped the map and have projections.
  int shaping_labels = 0;
  std::vector<ModelObjective> objectives;  // [K]
};

// Codes with their values. Row-major.
struct CodeTable {
  int code_size = 0;          // H
  int objectives = 0;         // K
  std::vector<float> codes;   // [N, H]
  std::vector<float> values;  // [N, K], raw units: labels, or means of realised values
  // [N, K], standard deviation of the realised values over episodes; empty for labels.
  std::vector<float> deviations;
  // [N], index of each code's policy in the dataset; -1 for a code that exploration found between
  // the policies' codes. Empty if the codes belong to no policy.
  std::vector<std::int64_t> policies;
  // [N], the agent that trained each code's policy; empty if unknown.
  std::vector<std::int64_t> agents;

  int count() const { return code_size == 0 ? 0 : static_cast<int>(codes.size()) / code_size; }
  std::span<const float> code(int row) const {
    return {codes.data() + std::ptrdiff_t{row} * code_size, static_cast<std::size_t>(code_size)};
  }
  std::span<const float> values_of(int row) const {
    return {values.data() + std::ptrdiff_t{row} * objectives, static_cast<std::size_t>(objectives)};
  }
};

// What the decoder did in one mode when its codes were rolled out.
struct Grounding {
  CodeTable rolled_out;
  int episodes = 0;        // per code; an interval covers the mean of this many
  std::uint64_t seed = 0;  // of the rollouts; the i-th code that was tried uses key i
};

// The two principal directions of the training codes, for pictures.
struct PrincipalMap {
  std::vector<float> mean;        // [H]
  std::vector<float> directions;  // [2, H], orthonormal
};

// Plain data. Constant and thread-safe once filled in.
struct Model {
  ModelDescription description;
  Normaliser observations;                              // for encoder and decoder
  std::vector<float> action_centre, action_half_range;  // [A]: applied = centre + half_range * a
  SetEncoder encoder;  // token: normalised observation, action in [-1, 1]
  Decoder decoder;
  Projections projections;
  LinearHeads heads;   // fitted to the labels (returns of the dataset's policies)
  CodeTable training;  // posterior means of training episodes, with their labels
  PrincipalMap map;
  std::array<std::optional<Grounding>, kRolloutModeCount> grounded;  // by RolloutMode
  std::shared_ptr<const nlohmann::json> provenance;  // data, settings, seed, versions; never null
  std::shared_ptr<const nlohmann::json> metrics;     // measurements; never null

  Model();
  int observation_size() const { return decoder.observation_size(); }
  int action_size() const { return decoder.action_size(); }
  int code_size() const { return decoder.code_size(); }
};

// Reads and checks everything. Throws Error with the place if sizes disagree, a file is damaged or
// a number is not finite.
Model ReadModel(const std::filesystem::path& folder);
// The artefact behind a model folder, for its hash and manifest.
core::Artifact OpenModelArtifact(const std::filesystem::path& folder);

// Writes the folder atomically. `manifest` holds the fields of manifest.json; `add_files` may add
// more files. Throws Error and leaves no folder if the model could not be read back: sizes
// disagree, or a number is not finite.
void WriteModel(const Model& model, const std::filesystem::path& folder, core::Existing existing,
                const nlohmann::json& manifest,
                const std::function<void(core::ArtifactWriter&)>& add_files = nullptr);

// Identifies what a code means: a hash over the decoder, the inputs and outputs that it is scaled
// to, and the robot. Grounding a model or adding attributes does not change it.
std::string HashOfCodes(const Model& model);

// Computes the two directions. The largest component of each is positive. If code_size is 1, the
// second direction is 0.
PrincipalMap MakePrincipalMap(std::span<const float> codes, int code_size);

}  // namespace rhumb::net
