// The figures of a report, drawn by the scripts of tools/pictures from the documents of its stages.
//
//   report -> FiguresOf -> DrawFigures: documents of the folder -> script -> figures/NAME.png, .svg
//                                       -> figures/NAME.stamp
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
  // What the script reads, of what the inputs hold.
  std::function<nlohmann::json(const std::vector<nlohmann::json>&)> combine;
};

// Those that the stages of a report have the documents for.
std::vector<Figure> FiguresOf(const nlohmann::json& report);

// A figure in the folder, up to date.
struct FigureFile {
  std::string name;
  std::string picture;  // "figures/NAME.png"
  std::string drawing;  // "figures/NAME.svg"
};

// Draws the figures whose script or inputs have changed, `threads` at a time; what is stale goes
// first. Those that stand afterwards, in their order: all, or, where nothing can draw or an input
// is not there, fewer. Lines on stderr say which and why.
std::vector<FigureFile> DrawFigures(const std::vector<Figure>& figures,
                                    const std::filesystem::path& folder, int threads);

}  // namespace rhumb::report
