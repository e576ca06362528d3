// Paths that come from a file and must stay in its folder, and where the program itself lies.
#pragma once

#include <filesystem>
#include <string_view>

namespace rhumb::core {

// The canonical path of the existing file or folder `relative` below `folder`. An absolute path, a
// '..' or a symbolic link that leaves the folder is an Error, and so, in its own words, is a path
// at which nothing stands. `place` says where the path was written ("mo-ant-v5.toml: model").
std::filesystem::path ResolveInside(const std::filesystem::path& folder, std::string_view relative,
                                    std::string_view place);

// An Error unless `relative` is a plain way down: not empty, not absolute, without '..'.
void CheckGoesDown(std::string_view relative, std::string_view place);

// Where the running program is installed: the folder above its bin. share/rhumb and lib lie beside
// it.
std::filesystem::path InstallationFolder();

}  // namespace rhumb::core
