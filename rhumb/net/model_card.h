// The model card: README.md of a model folder.
#pragma once

#include <string>

#include "rhumb/net/model.h"

namespace rhumb::net {

// Markdown with the YAML front matter of model hubs: the model, its environment, its objectives
// with their ranges, provenance, measurements and usage.
std::string WriteModelCard(const Model& model);

}  // namespace rhumb::net
