// What a model computes, in a few numbers: a model of the zoo carries its own, and a test compares.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rhumb/net/model.h"

namespace rhumb::zoo {

// A fixed input and what comes of it, without a simulation. It is also a trajectory that `rhumb
// encode` reads, with the same code:
//   {"env", "rewards", "observations": [[O]…], "actions": [[A]…]   drawn, as many as a context has
//    "code": [H]                              of that trajectory
//    "decoded": [[A]…]                        mean actions of that code in the first observations
//    "predicted": {"sampled": {objective: value}, "mean": {…}}    of that code
//    "query": {"target", "require"}, "answer": {"status", "predicted"}}   steered, sampled actions
nlohmann::json SignModel(const net::Model& model);

}  // namespace rhumb::zoo
