#include <nlohmann/json.hpp>

#include "rhumb/core/files/json_file.h"
#include "rhumb/net/model_json.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(model_json) {
  fuzz::Accepts([&] {
    const nlohmann::json document = core::ParseJson(fuzz::TextOf(data, size), "model.json");
    const net::Model model = net::ModelFromJson(document, "model.json");
    for (const net::ModelObjective& objective : model.description.objectives) {
      RHUMB_CHECK(!objective.name.empty() && objective.std > 0, "an objective was not checked");
    }
    core::DumpJson(*model.metrics);
  });
}
