// Adds attributes to a grounded model: its codes are rolled out again, with the attributes.
//
//   rollout::FitAttributes -> StoredCodes -> GroundCodes (OUT.work meanwhile) -> model OUT
#pragma once

#include "rhumb/core/job.h"
#include "rhumb/rollout/attribute_head.h"

namespace rhumb::learn::ground {

// If stopped, the roll-outs made so far are in OUT.work, and the same request goes on from them. A
// model that is not grounded gets its heads alone. Errors as in FitAttributes; the model is then
// unchanged.
core::Outcome AddGroundedAttributes(const rollout::AddAttributesRequest& request);

}  // namespace rhumb::learn::ground
