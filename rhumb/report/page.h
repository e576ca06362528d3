// The page of a report for people: figures, tables and warnings in the order of the paper.
//
//   report.json, figures, columns -> tools/pictures/report.py with its template -> report.html
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "rhumb/report/figure.h"

namespace rhumb::report {

// Makes report.html of the folder the page of this report, unless it is already; `figures` are all
// that the report may have, `drawn` those that DrawFigures left. `columns` is as in FiguresOf.
// Returns false, after a line on stderr, if no Python can render it; then a stale page is removed.
bool WritePage(const nlohmann::json& report, const std::vector<Figure>& figures,
               const std::vector<FigureFile>& drawn, const nlohmann::json& columns,
               const std::filesystem::path& folder);

}  // namespace rhumb::report
