// Code files: a behaviour on disk.
//
//   {"code": [...], "mode": "mean", "model_hash": "…"}    from `rhumb encode --out`
//   {"answers": [{"code": [...]}, …], "mode", "model_hash", …}    from `rhumb steer --out`
//
// A code means something to one decoder only, so the file holds the decoder's hash. A file written
// by hand may leave out everything but the code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/net/model.h"

namespace rhumb::steer {

struct StoredCode {
  std::vector<float> code;               // [H]
  std::optional<net::RolloutMode> mode;  // how the code was meant to act, if the file says so
  // The status of a query without an answer, whose nearest behaviour this is; "" for an answer.
  std::string nearest_of;
};

// Reads the code for `model`; `answer` selects one of steering's answers, from 1. A result without
// answers has one code, its nearest behaviour. Throws Error if the code is missing, belongs to
// another model, has another size, or contains non-finite numbers.
StoredCode ReadCode(const std::filesystem::path& file, const net::Model& model, int answer = 1);

}  // namespace rhumb::steer
