// A recorded trajectory, read for a small model and encoded.
#include "rhumb/rollout/trajectory.h"
#include "tests/fuzz/fuzz.h"
#include "tests/net/sample_model.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(trajectory) {
  static const net::Model kModel = net::ModelOfSamples();
  static const fuzz::MemoryFile kFile;
  kFile.Set(fuzz::TextOf(data, size));
  fuzz::Accepts([] {
    const rollout::Trajectory trajectory =
        rollout::ReadTrajectory(kFile.path(), std::nullopt, kModel);
    RHUMB_CHECK(trajectory.values.size() == kModel.description.objectives.size(),
                "values are missing");
    const std::vector<float> code = rollout::EncodeTrajectory(kModel, trajectory, {.draws = 1});
    RHUMB_CHECK(code.size() == static_cast<std::size_t>(kModel.code_size()), "a code is cut");
  });
}
