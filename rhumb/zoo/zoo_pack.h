// Packs a model as a zoo entry: a model folder with everything that others need to judge it.
//
//   model.safetensors, model.json   copied unchanged
//   README.md, map.png              the card, with the commands that made the model; its codes
//   layout.json                     its codes in a plane (code_layout.h)
//   tasks.jsonl                     the tasks used to evaluate it
//   held_out.safetensors            recorded behaviour of held-out policies (held_out.h)
//   signature.json                  fixed inputs and their outputs (zoo_signature.h)
//   manifest.json                   hashes of these files, of the model and of its dataset;
//                                   settings, seeds and versions
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rhumb::zoo {

constexpr std::uintmax_t kMaxEntryBytes = 6'000'000;

struct PackRequest {
  std::string model;  // a MODEL argument of FindModel
  std::string data;   // its dataset; "": no held-out policies
  std::string tasks;  // a file of tasks for it; "": none
  // An earlier entry, of the same model before it was grounded again, or the model itself: its
  // held-out policies, tasks and history are taken over. "": none.
  std::string from;
  std::filesystem::path out;
  std::uint64_t seed = 0;  // for drawing contexts
};

struct PackedEntry {
  std::uintmax_t bytes = 0;
  int tasks = 0;
  int held_out_policies = 0;
  std::vector<std::string> commands;  // commands that made the model, in order; empty if unknown
};

// Writes the folder atomically. Throws Error, and writes no folder, if the model was not trained on
// the dataset, the tasks are for another model, or kMaxEntryBytes is exceeded.
PackedEntry PackEntry(const PackRequest& request);

}  // namespace rhumb::zoo
