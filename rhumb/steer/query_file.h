// Queries as JSON and TOML documents.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/steer/query.h"

namespace rhumb::steer {

// An object with some of the keys target, require, maximise, minimise, change. `target` is an
// object of numbers ({"forward": 6000}) or a text or a list of texts; the others are a text or a
// list of texts. The query is consistent. `place` names the file and the line. Unknown keys are
// Errors with the nearest known one, unless `others` has them ("seed", "init").
Query QueryFromJson(const nlohmann::json& document, std::string_view place,
                    const std::vector<std::string>& others = {});
// FILE.toml or FILE.json, by its ending; at most 1 MiB.
Query ReadQuery(const std::filesystem::path& file);
// Lists of texts, which QueryFromJson reads back to an equal query.
nlohmann::json ToJson(const Query& query);

}  // namespace rhumb::steer
