#include "rhumb/data/policy.h"

#include "rhumb/core/files/json_file.h"
#include "rhumb/core/names.h"

namespace rhumb::data {
namespace {

const core::Names<Verdict> kVerdictNames = {{Verdict::kKept, "kept"},
                                            {Verdict::kEarly, "early"},
                                            {Verdict::kThinned, "thinned"},
                                            {Verdict::kDroppedWeight, "dropped_weight"},
                                            {Verdict::kStationary, "stationary"},
                                            {Verdict::kFalls, "falls"},
                                            {Verdict::kVariable, "variable"},
                                            {Verdict::kNoEpisodes, "no_episodes"}};
const core::Names<Split> kSplitNames = {{Split::kTrain, "train"},
                                        {Split::kHeldOutCheckpoint, "held_out_checkpoint"},
                                        {Split::kHeldOutWeight, "held_out_weight"},
                                        {Split::kHole, "hole"}};

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

const std::string& NameOf(Verdict verdict) { return kVerdictNames.NameOf(verdict); }
const std::string& NameOf(Split split) { return kSplitNames.NameOf(split); }

bool IsPartOf(Split split, std::string_view name) {
  if (name != "held_out") return name == NameOf(split);
  return split == Split::kHeldOutCheckpoint || split == Split::kHeldOutWeight;
}

nlohmann::json ToJson(const Policy& policy) {
  nlohmann::json document = {
      {"verdict", NameOf(policy.verdict)}, {"split", NameOf(policy.split)}, {"parent", nullptr}};
  if (policy.parent >= 0) document["parent"] = policy.parent;
  VisitPolicy(policy, core::JsonWriter{document});
  return document;
}

Policy PolicyFromJson(const nlohmann::json& document) {
  Policy policy;
  VisitPolicy(policy, core::JsonReader{document});
  // Absent before agents had parents; datasets of earlier versions write -1 for null.
  if (const auto parent = document.find("parent"); parent != document.end() && !parent->is_null()) {
    core::ReadValue(*parent, "parent", policy.parent);
  }
  policy.verdict = kVerdictNames.Parse(document.at("verdict").get<std::string>());
  policy.split = kSplitNames.Parse(document.at("split").get<std::string>());
  return policy;
}

}  // namespace rhumb::data
