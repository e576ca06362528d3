// The figures of a report, drawn by the scripts of tools/pictures from the documents of its stages.
//
//   report -> FiguresOf -> DrawFigures: documents of the folder -> script -> figures/NAME.png, .svg
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rhumb::report {

struct Figure {
  std::string name;
  std::string script;
  std::vector<std::string> inputs;  // documents, relative to the folder
  // Makes the script's document from the contents of the inputs.
  std::function<nlohmann::json(const std::vector<nlohmann::json>&)> combine;
  nlohmann::json columns = nullptr;  // joins the script's document as "columns", unless null
};

// The figures whose documents the stages of the report made. `columns` describes the columns of
// synthesis tables: [{"key", "title", "meaning", "higher_is_better"}, …].
std::vector<Figure> FiguresOf(const nlohmann::json& report, const nlohmann::json& columns);

// A figure that is drawn and up to date, by its paths in the folder.
struct FigureFile {
  std::string name;
  std::string picture;  // "figures/NAME.png"
  std::string drawing;  // "figures/NAME.svg"
};

// Removes stale figures and draws them again, `threads` at a time. Returns those that are up to
// date in the end, in order. Lines on stderr name the others, whose input or Python is missing.
std::vector<FigureFile> DrawFigures(const std::vector<Figure>& figures,
                                    const std::filesystem::path& folder, int threads);

}  // namespace rhumb::report
