#include "rhumb/data/policy.h"

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
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

template <class Policy, class Visit>
void VisitPolicy(Policy& policy, Visit visit) {
  visit("file", policy.file);
  visit("agent", policy.agent);
  visit("iteration", policy.iteration);
  visit("weights", policy.weights);
  visit("measured_episodes", policy.measured_episodes);
  visit("mean_length", policy.mean_length);
  visit("motion", policy.motion);
  visit("mean_return", policy.mean_return);
  visit("std_return", policy.std_return);
  visit("short_episodes", policy.short_episodes);
  visit("unusable_episodes", policy.unusable_episodes);
  visit("reason", policy.reason);
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
  nlohmann::json document = {{"verdict", NameOf(policy.verdict)}, {"split", NameOf(policy.split)}};
  VisitPolicy(policy, core::JsonWriter{document});
  return document;
}

Policy PolicyFromJson(const nlohmann::json& document) {
  Policy policy;
  VisitPolicy(policy, core::JsonReader{document});
  policy.verdict = Parse<Verdict>(document.at("verdict").get<std::string>(), kVerdictNames);
  policy.split = Parse<Split>(document.at("split").get<std::string>(), kSplitNames);
  return policy;
}

}  // namespace rhumb::data
