// The HTML page of a report: figures, tables and warnings in the order of the paper.
//
//   report.json, figures, columns -> tools/pictures/report.py with its template -> report.html
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "rhumb/report/figure.h"

namespace rhumb::report {

// Updates report.html in the folder unless it is already up to date. `figures` are all possible
// figures of the report; `drawn` are those that DrawFigures returned. `columns` is as in
// FiguresOf. Returns false, after a line on stderr, if no Python can render it; a stale page is
// then removed.
bool WritePage(const nlohmann::json& report, const std::vector<Figure>& figures,
               const std::vector<std::string>& drawn, const nlohmann::json& columns,
               const std::filesystem::path& folder);

}  // namespace rhumb::report
