// A model's outputs for fixed inputs. Every zoo model carries its own signature, and a test
// compares.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rhumb/net/model.h"

namespace rhumb::zoo {

// A fixed input and the model's outputs for it, without simulation. `rhumb encode` reads it as a
// trajectory and computes the same code:
//   {"env", "rewards", "observations": [[O]…], "actions": [[A]…]   random, one context long
//    "code": [H]                              of that trajectory
//    "decoded": [[A]…]                        mean actions of that code in the first observations
//    "predicted": {"sampled": {objective: value}, "mean": {…}}    of that code
//    "query": {"target", "require"}, "answer": {"status", "predicted"}}   for sampled actions
nlohmann::json SignModel(const net::Model& model);

}  // namespace rhumb::zoo
