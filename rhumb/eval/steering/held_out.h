// A summary of a dataset's held-out policies, small enough to ship with a model: one context per
// policy, and its returns.
//
// The file is safetensors, with P policies in dataset order and C pairs per context:
//   contexts    [P, C, O + A] float32  observations and actions as recorded; pairs of the policy's
//                                      first episode, drawn with replacement
//   returns     [P, K] float64         means over the policy's episodes, of the model's objectives
//   splits      [P] int64              1: unseen checkpoint, 2: unseen weight vector
//   agents, iterations  [P] int64      index of the weight vector, number of training iterations
//   weights     [P, W] float64         of the scalarisation; absent if unknown
// Under __metadata__: "objectives", the comma-separated names, and "dataset", the dataset's hash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

// Writes the file and returns the number of policies. Throws an Error if the model cannot read the
// dataset or the dataset has no held-out policies.
int WriteHeldOut(const data::Dataset& dataset, const net::Model& model, std::uint64_t seed,
                 const std::filesystem::path& file);

// The held-out policies of a file as anchors, numbered as in the file. `split` is
// held_out_checkpoint, held_out_weight or held_out, which means both. Throws an Error if the file
// does not fit the model or has no such policy.
Anchors ReadHeldOut(const std::filesystem::path& file, const net::Model& model,
                    const std::string& split);

// One code per policy of the file [P, H]: the posterior means of their contexts. Throws an Error if
// the contexts do not fit the model.
std::vector<float> EncodeHeldOut(const std::filesystem::path& file, const net::Model& model);

}  // namespace rhumb::eval
