// Queries as JSON and TOML documents.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/steer/query/query.h"

namespace rhumb::steer {

// Reads an object with some of the keys target, require, maximise, minimise, change. `target` is
// an object of numbers ({"forward": 6000}), a string or a list of strings. The others are a string
// or a list of strings. The returned query is consistent. `place` names the file and the line.
// Unknown keys throw Error with the nearest known key, unless `others` contains them ("seed",
// "init").
Query QueryFromJson(const nlohmann::json& document, std::string_view place,
                    const std::vector<std::string>& others = {});
// Reads FILE.toml or FILE.json, chosen by its extension; at most 1 MiB.
Query ReadQuery(const std::filesystem::path& file);
// Writes lists of strings; QueryFromJson reads them back to an equal query.
nlohmann::json ToJson(const Query& query);

}  // namespace rhumb::steer
