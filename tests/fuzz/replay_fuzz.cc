// A replay file, played in the point mass.
#include "rhumb/core/files/json_file.h"
#include "rhumb/rollout/replay.h"
#include "rhumb/sim/catalogue.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(replay) {
  static const sim::Environment kPoint(sim::FindBundle("point-v0"));
  static const fuzz::MemoryFile kFile;
  kFile.Set(fuzz::TextOf(data, size));
  fuzz::Accepts([] {
    rollout::ReplayRequest request = rollout::ReadReplay(kFile.path());
    fuzz::Accepts([&] { rollout::FindReplayBundle(request); });
    if (request.actions.size() > 20) request.actions.resize(20);
    const rollout::ReplayResult result = rollout::Replay(kPoint, request);
    RHUMB_CHECK(result.observations.size() == result.rewards.size() + 1, "a row is missing");
    // JSON has no NaN and no infinity, so a number that is not finite would come back as null.
    core::ParseJson(core::DumpJson(rollout::ToJson(result)), "again");
  });
}
