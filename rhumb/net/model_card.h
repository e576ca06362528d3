// The model card: README.md of a model folder, for people.
#pragma once

#include <string>

#include "rhumb/net/model.h"

namespace rhumb::net {

// Markdown: what the model is, its environment, its objectives with their ranges, how it was made,
// what was measured, and how to use it.
std::string WriteModelCard(const Model& model);

}  // namespace rhumb::net
