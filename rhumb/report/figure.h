// The figures of a report, drawn by the scripts of tools/pictures from the documents of its stages.
//
//   report -> FiguresOf -> DrawFigures: documents of the folder -> script -> figures/NAME.png, .svg
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::report {

struct Figure {
  std::string name;
  std::string script;
  std::vector<std::string> inputs;  // documents, relative to the folder
  // Builds the script's document from the contents of the inputs.
  std::function<nlohmann::json(const std::vector<nlohmann::json>&)> combine;
  nlohmann::json columns = nullptr;  // added to the script's document as "columns", unless null
};

// Returns the figures whose documents were made by the stages of the report. `columns` describes
// the columns of synthesis tables: [{"key", "title", "meaning", "higher_is_better"}, …].
std::vector<Figure> FiguresOf(const nlohmann::json& report, const nlohmann::json& columns);

// A figure's file, relative to the folder: "figures/NAME.png", or ".svg".
std::string FigurePath(const std::string& name, std::string_view ending);

// Removes stale figures and redraws them, `threads` at a time. Returns the names of the up-to-date
// figures in order. Lines on stderr name those that lack their input or Python.
std::vector<std::string> DrawFigures(const std::vector<Figure>& figures,
                                     const std::filesystem::path& folder, int threads);

}  // namespace rhumb::report
