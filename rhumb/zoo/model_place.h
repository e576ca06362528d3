// Finds a model: a folder, or a zoo entry by name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rhumb::zoo {

// The folder of the bundled models: ../share/rhumb/zoo relative to the binary. Each is a subfolder.
std::filesystem::path ZooFolder();
// Sorted by name; empty if the folder is missing. Throws Error if it cannot be read.
std::vector<std::string> ZooNames();

// The folder of a MODEL argument. A folder wins over a zoo name. Throws Error with the zoo's names
// if `model` is neither a folder, a name nor a path. Does not check that the folder holds a model.
std::filesystem::path FindModel(const std::string& model);

// Whether a model's folder is an entry of the zoo, which must not be replaced.
bool IsZooEntry(const std::filesystem::path& folder);

// The output folder of a command that replaces its MODEL unless `out` is given. Throws Error for a
// zoo entry, which must not be replaced.
std::string ChooseOutput(const std::string& model, const std::string& out);

}  // namespace rhumb::zoo
