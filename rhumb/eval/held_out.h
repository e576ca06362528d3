// What the held-out policies of a dataset did, small enough to travel with a model: one context of
// each, and what it earned.
//
// The file is safetensors; P policies in their order in the dataset, C pairs of a context:
//   contexts    [P, C, O + A] float32  observations and the actions taken there, as recorded; pairs
//                                      of the policy's first episode, drawn with replacement
//   returns     [P, K] float64         means over the policy's episodes, of the model's objectives
//   splits      [P] int64              1: unseen checkpoint, 2: unseen weight vector
//   agents, iterations  [P] int64      which weight vector, and how many iterations of training
//   weights     [P, W] float64         of the scalarisation; absent where unknown
// and under __metadata__ "objectives", their names with commas between, and "dataset", its hash.
#pragma once

#include <cstdint>
#include <filesystem>

#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

// Writes the file; the number of policies. A dataset that the model cannot read, or that has no
// held-out policy, is an Error.
int WriteHeldOut(const data::Dataset& dataset, const net::Model& model, std::uint64_t seed,
                 const std::filesystem::path& file);

}  // namespace rhumb::eval
