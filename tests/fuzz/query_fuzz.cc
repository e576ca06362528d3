// A document, or a text for each parser.
#include <nlohmann/json.hpp>

#include "rhumb/core/files/json_file.h"
#include "rhumb/steer/query/query_file.h"
#include "rhumb/steer/query/query_parser.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(query) {
  const std::string_view text = fuzz::TextOf(data, size);
  fuzz::Accepts([&] { steer::ParseTarget(text); });
  fuzz::Accepts([&] { steer::ParseRequirement(text); });
  fuzz::Accepts([&] { steer::ParseChange(text); });
  fuzz::Accepts([&] {
    const steer::Query query = steer::QueryFromJson(core::ParseJson(text, "query"), "query");
    const nlohmann::json written = steer::ToJson(query);
    RHUMB_CHECK(steer::ToJson(steer::QueryFromJson(written, "again")) == written,
                "a query changed on its way");
  });
}
