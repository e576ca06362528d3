// Resolves paths that must stay inside a folder, tells missing folders from unreadable ones, and
// finds the program's installation.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace rhumb::core {

// Returns the canonical path of the existing file or folder `relative` below `folder`. Throws
// Error if the path is absolute, leaves the folder by '..' or a symbolic link, or does not exist.
// `place` says where the path was written ("mo-ant-v5.toml: model").
std::filesystem::path ResolveInside(const std::filesystem::path& folder, std::string_view relative,
                                    std::string_view place);

// Throws Error unless `relative` is a plain relative path: not empty, not absolute, without '..'.
void CheckGoesDown(std::string_view relative, std::string_view place);

// Throws Error if the listing of `folder` ended with `error`, unless the folder does not exist.
// Else a folder that cannot be read would count as an empty one.
void CheckListed(const std::filesystem::path& folder, const std::error_code& error);

// Returns the running program's installation folder, the parent of its bin. It also contains
// share/rhumb and lib.
std::filesystem::path InstallationFolder();
// Sets it for a library inside another program, such as Python; an empty path undoes this. Call it
// before any other thread runs.
void SetInstallationFolder(const std::filesystem::path& folder);

}  // namespace rhumb::core
