// What is read from the document of a report (report.h), for tables and figures.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rhumb::report {

// Stands for a number that a report does not have.
inline constexpr const char* kNoNumber = "–";

// The measure that an output is of: "probe" of "measures/probe/ours.json", "x" of
// "measures/x.json"; "" of what is none.
std::string MeasureOf(const std::string& output);

// The results of a measure, in the order of the stages.
std::vector<nlohmann::json> ResultsOf(const nlohmann::json& report, const std::string& measure);
// Of one output; null where it is not there.
nlohmann::json ResultAt(const nlohmann::json& report, const std::string& output);

// The number at a JSON pointer; NaN where there is none.
double NumberAt(const nlohmann::json& document, const std::string& place);
// That in text, kNoNumber of NaN; `factor` 100 makes a share a percentage.
std::string Number(const nlohmann::json& document, const std::string& place, int decimals,
                   double factor = 1);
std::string Text(const nlohmann::json& document, const std::string& key);

// A synthesis document has figures of several methods: those of one, or null.
nlohmann::json MethodOf(const nlohmann::json& document, const std::string& method);
// All of them, the document's own first.
std::vector<nlohmann::json> MethodsOf(const nlohmann::json& document);

// The model that a document is of: "vae" of "models/vae", "ours.grounded" of
// "models/ours.grounded".
std::string ModelOf(const nlohmann::json& document);

// Models and splits in words.
std::string TitleOf(const std::string& name);

}  // namespace rhumb::report
