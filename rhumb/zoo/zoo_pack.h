// A model -> an entry of the zoo: a model folder with all that others need to judge it.
//
//   model.safetensors, model.json   as they are
//   README.md, map.png              the card, with the commands that made the model; its codes
//   tasks.jsonl                     the tasks that it is measured by
//   held_out.safetensors            what held-out policies did (rhumb/eval/held_out.h)
//   signature.json                  what it computes (zoo_signature.h)
//   manifest.json                   hashes of all that, of the model and of its dataset; settings,
//                                   seeds and versions
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rhumb::zoo {

constexpr std::uintmax_t kMaxEntryBytes = 6'000'000;

struct PackRequest {
  std::string model;  // as FindModel takes it
  std::string data;   // its dataset; "": no held-out policies
  std::string tasks;  // a file of tasks for it; "": none
  std::filesystem::path out;
  std::uint64_t seed = 0;  // of the contexts that are drawn
};

struct PackedEntry {
  std::uintmax_t bytes = 0;
  int tasks = 0;
  int held_out_policies = 0;
  std::vector<std::string> commands;  // that made the model, in order; empty where unknown
};

// Writes the folder in one step. A dataset that the model was not trained on, tasks that are not
// for it and an entry of more than kMaxEntryBytes are Errors, and then there is no folder.
PackedEntry PackEntry(const PackRequest& request);

}  // namespace rhumb::zoo
