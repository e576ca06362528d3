#include "rhumb/eval/steering/steer_document.h"

#include <nlohmann/json.hpp>

#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/query/query_file.h"

namespace rhumb::eval {

using nlohmann::json;

json SteerDocument(const net::Model& model, const steer::Query& query, const steer::Result& result,
                   const std::vector<Realised>& realised) {
  json document = steer::ToJson(result, model.description);
  document["query"] = steer::ToJson(query);
  document["query"]["words"] = steer::Describe(query);
  if (result.answers.empty() && !realised.empty()) {
    document["infeasibility"]["realised"] = ToJson(realised.front(), model.description);
    return document;
  }
  for (std::size_t a = 0; a < realised.size(); ++a) {
    document["answers"][a]["realised"] = ToJson(realised[a], model.description);
  }
  return document;
}

}  // namespace rhumb::eval
