// A trained model: everything that steering and acting need, and nothing that needs libtorch.
//
//   <folder>/model.safetensors   networks, heads, normalisers, codes with their returns, map;
//                                weights are [inputs, outputs]
//   <folder>/model.json          architecture, environment, objectives, provenance, metrics
//   <folder>/environment/        the environment's files: spec, MJCF and all that it refers to
//   <folder>/README.md           the model card
//   <folder>/map.png             a picture of the codes, where one was drawn
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

#include "rhumb/core/artifact.h"
#include "rhumb/core/environment_bundle.h"
#include "rhumb/net/decoder.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/net/set_encoder.h"
#include "rhumb/net/value_heads.h"

namespace rhumb::net {

// How a decoder acts: drawing from its Gaussian, or taking the mean. Heads are fitted for one.
enum class RolloutMode { kSampled, kMean };
constexpr int kRolloutModeCount = 2;
std::string_view NameOf(RolloutMode mode);  // "sampled", "mean"
// An unknown word is an Error with the known ones.
RolloutMode ParseRolloutMode(std::string_view word);

// A number of a whole episode that can be steered: an objective of the environment (its
// undiscounted return), or an attribute such as "mean(torso_height)".
struct ModelObjective {
  std::string name;
  std::string unit;
  std::string expression;  // "" for an objective of the environment
  // Of the labels of the training episodes; a head predicts (v - mean) / std.
  double mean = 0, std = 1, min = 0, max = 0;
};

struct ModelDescription {
  std::string variant;  // "ours", or the rival's name
  core::EnvironmentBundle environment;
  int time_limit = 0;      // steps; 0: unknown
  int context = 32;        // tokens that the encoder was trained on
  int shaping_labels = 0;  // the first objectives, this many, shaped the map and have projections
  std::vector<ModelObjective> objectives;  // [K]
};

// Codes and what is known of them. Row-major.
struct CodeTable {
  int code_size = 0;          // H
  int objectives = 0;         // K
  std::vector<float> codes;   // [N, H]
  std::vector<float> values;  // [N, K], raw units: labels, or means of realised values
  // [N, K], of the realised values between episodes; empty for labels.
  std::vector<float> deviations;
  std::vector<std::int64_t> policies;  // [N], in the dataset; empty where the codes are of none

  int count() const { return code_size == 0 ? 0 : static_cast<int>(codes.size()) / code_size; }
};

// Heads fitted to what the decoder realises in one mode, and the roll-outs they were fitted to.
struct Grounding {
  HeadEnsemble heads;
  CodeTable rolled_out;
  std::uint64_t seed = 0;  // of the roll-outs; code i of all that were tried has the key i
};

// The two directions in which the training codes vary most, for pictures.
struct PrincipalMap {
  std::vector<float> mean;        // [H]
  std::vector<float> directions;  // [2, H], orthonormal
};

// Plain data; constant once filled in, and then thread-safe.
struct Model {
  ModelDescription description;
  Normaliser observations;                              // of encoder and decoder
  std::vector<float> action_centre, action_half_range;  // [A]: applied = centre + half_range * a
  SetEncoder encoder;  // token: normalised observation, action in [-1, 1]
  Decoder decoder;
  Projections projections;
  LinearHeads heads;   // fitted to the labels (the teachers' returns)
  CodeTable training;  // posterior means of training episodes, with their labels
  PrincipalMap map;
  std::array<std::optional<Grounding>, kRolloutModeCount> grounded;  // by RolloutMode
  std::shared_ptr<const nlohmann::json> provenance;  // data, settings, seed, versions; never null
  std::shared_ptr<const nlohmann::json> metrics;     // what was measured; never null

  Model();
  int observation_size() const { return decoder.observation_size(); }
  int action_size() const { return decoder.action_size(); }
  int code_size() const { return decoder.code_size(); }
  // The objective's index; an unknown name is an Error with the nearest known one.
  int ObjectiveIndex(std::string_view name) const;
};

// Reads and checks everything: sizes that do not fit together, a damaged file and anything that is
// not finite are Errors that name the place.
Model ReadModel(const std::filesystem::path& folder);
// The artefact behind a model folder, for its hash and manifest.
core::Artifact OpenModelArtifact(const std::filesystem::path& folder);

// Writes the folder in one step. `manifest` are the fields of manifest.json. What could not be read
// back, as sizes that do not fit or a number that is not finite, is an Error and leaves no folder.
// `add_files` may put more files beside them.
void WriteModel(const Model& model, const std::filesystem::path& folder, core::Existing existing,
                const nlohmann::json& manifest,
                const std::function<void(core::ArtifactWriter&)>& add_files = nullptr);

// Finds the two directions; the signs make the largest component of each positive. Codes of one
// number vary in one direction, and the second is 0.
PrincipalMap MakePrincipalMap(std::span<const float> codes, int code_size);

}  // namespace rhumb::net
