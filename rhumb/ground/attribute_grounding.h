// Adds attributes to a grounded model by rolling its codes out again with the attributes.
//
//   rollout::FitAttributes -> StoredCodes -> GroundCodes (OUT.work meanwhile) -> model OUT
#pragma once

#include "rhumb/core/process/job.h"
#include "rhumb/rollout/attribute_head.h"

namespace rhumb::ground {

// If stopped, finished rollouts stay in OUT.work, and the same request resumes from them. An
// ungrounded model gets only the heads. Throws the same Errors as FitAttributes and then leaves the
// model unchanged.
core::Outcome AddGroundedAttributes(const rollout::AddAttributesRequest& request);

}  // namespace rhumb::ground
