#include "rhumb/data/policy.h"

#include <array>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::data {
namespace {

constexpr std::array<std::string_view, kVerdictCount> kVerdictNames = {
    "kept", "early", "thinned", "dropped_weight", "stationary", "falls", "variable", "no_episodes"};
constexpr std::array<std::string_view, kSplitCount> kSplitNames = {"train", "held_out_checkpoint",
                                                                   "held_out_weight", "hole"};

template <class Enum, std::size_t Count>
Enum Parse(const std::string& word, const std::array<std::string_view, Count>& names) {
  for (std::size_t i = 0; i < Count; ++i) {
    if (names[i] == word) return static_cast<Enum>(i);
  }
  const std::vector<std::string> known(names.begin(), names.end());
  Fail("unknown word '{}'{}", word, core::Suggestion(word, known));
}

}  // namespace

std::string_view NameOf(Verdict verdict) {
  return kVerdictNames[static_cast<std::size_t>(verdict)];
}

std::string_view NameOf(Split split) { return kSplitNames[static_cast<std::size_t>(split)]; }

bool IsPartOf(Split split, std::string_view name) {
  if (name != "held_out") return name == NameOf(split);
  return split == Split::kHeldOutCheckpoint || split == Split::kHeldOutWeight;
}

nlohmann::json ToJson(const Policy& policy) {
  return {{"file", policy.file},
          {"agent", policy.agent},
          {"iteration", policy.iteration},
          {"weights", policy.weights},
          {"measured_episodes", policy.measured_episodes},
          {"mean_length", policy.mean_length},
          {"motion", policy.motion},
          {"mean_return", policy.mean_return},
          {"std_return", policy.std_return},
          {"short_episodes", policy.short_episodes},
          {"unusable_episodes", policy.unusable_episodes},
          {"verdict", NameOf(policy.verdict)},
          {"reason", policy.reason},
          {"split", NameOf(policy.split)}};
}

Policy PolicyFromJson(const nlohmann::json& json) {
  Policy policy;
  json.at("file").get_to(policy.file);
  json.at("agent").get_to(policy.agent);
  json.at("iteration").get_to(policy.iteration);
  json.at("weights").get_to(policy.weights);
  json.at("measured_episodes").get_to(policy.measured_episodes);
  json.at("mean_length").get_to(policy.mean_length);
  json.at("motion").get_to(policy.motion);
  json.at("mean_return").get_to(policy.mean_return);
  json.at("std_return").get_to(policy.std_return);
  json.at("short_episodes").get_to(policy.short_episodes);
  json.at("unusable_episodes").get_to(policy.unusable_episodes);
  policy.verdict = Parse<Verdict>(json.at("verdict").get<std::string>(), kVerdictNames);
  json.at("reason").get_to(policy.reason);
  policy.split = Parse<Split>(json.at("split").get<std::string>(), kSplitNames);
  return policy;
}

}  // namespace rhumb::data
