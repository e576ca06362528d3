// Where a model is: a folder, or an entry of the zoo by its name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rhumb::zoo {

// The models that come with Rhumb: ../share/rhumb/zoo beside the binary, a folder for each.
std::filesystem::path ZooFolder();
// By name, in their order; none where there is no such folder.
std::vector<std::string> ZooNames();

// The folder of a MODEL argument. A folder wins over a name; what is neither, and is no path, is an
// Error with the names of the zoo. Whether a model is in the folder is for its reader to say.
std::filesystem::path FindModel(const std::string& model);

// Where a command writes that replaces its MODEL unless there is an `out`. An entry of the zoo is
// not replaced: an Error.
std::string ChooseOutput(const std::string& model, const std::string& out);

}  // namespace rhumb::zoo
