#include "rhumb/sim/spec.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(spec) {
  const core::FileMap files = {{"robot.toml", std::string(fuzz::TextOf(data, size))},
                               {"base.toml", "id = 'base-v0'\nmodel = 'base.xml'\n"}};
  fuzz::Accepts([&] { sim::ParseSpec(files, "robot.toml"); });
}
