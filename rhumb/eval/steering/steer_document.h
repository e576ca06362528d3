// The JSON document of one steered query, as `rhumb steer --json` and the server write it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/query/query.h"

namespace rhumb::eval {

// Makes the document of `--json`: query, status, answers, infeasibility. Rollouts add "realised"
// to the last two. `realised` has one entry per answer, or one for the nearest behaviour without
// answers.
nlohmann::json SteerDocument(const net::Model& model, const steer::Query& query,
                             const steer::Result& result, const std::vector<Realised>& realised);

}  // namespace rhumb::eval
