// Where the known codes of a model lie in a plane, for the map of `rhumb serve`: UMAP, made once
// and stored beside the model.
//
//   <model>/layout.json   {"method": "umap", "version", "modes": {"sampled": {"hash", "places"},
//   …}}
//
// The file is optional, and it names its codes by a hash: one that a later grounding left behind is
// not used.
#pragma once

#include <filesystem>
#include <vector>

#include "rhumb/net/model.h"

namespace rhumb::zoo {

inline constexpr const char* kLayoutFile = "layout.json";

// Known codes: those that were rolled out in this mode, or the training codes.
const net::CodeTable& KnownCodes(const net::Model& model, net::RolloutMode mode);

// Lays the known codes of every mode out and writes `file`. Returns false, after a line on stderr,
// if the Python of `tools/setup pictures` is missing or fails. Takes half a minute.
bool MakeLayout(const net::Model& model, const std::filesystem::path& file);

// The places [N, 2] of the known codes in `mode`; empty if the folder stores none for them. Throws
// Error if the file is damaged.
std::vector<float> ReadLayout(const std::filesystem::path& folder, const net::Model& model,
                              net::RolloutMode mode);

}  // namespace rhumb::zoo
