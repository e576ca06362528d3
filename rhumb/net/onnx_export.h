// A model's policy as an ONNX file that runs without Rhumb.
//
//   observation [N, O], code [N, H]  ->  action [N, A], mean [N, A], log_std [N, A]
//
// `observation` and `action` are in the environment's own units: the normaliser, the clipping and
// the action scale are inside. `action` is the clipped mean. `mean` and `log_std` describe the
// Gaussian over actions in [-1, 1], before clipping and scaling.
#pragma once

#include <map>
#include <span>
#include <string>

#include "rhumb/net/model.h"

namespace rhumb::net {

// The bytes of the file. With a code [H] the file has no input `code`; an empty span keeps it.
// Throws Error if the code has another size or a number that is not finite.
std::string ExportOnnx(const Model& model, std::span<const float> code,
                       const std::map<std::string, std::string>& metadata);

}  // namespace rhumb::net
