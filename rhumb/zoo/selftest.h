// A signature of a fixed tiny run. It changes only if behaviour changes.
//
//   bundled environments, random actions -> observations, rewards ┐
//   a bundled model -> codes, actions, forecasts, an answer       ├─→ SHA-256, shortened
//   that answer rolled out -> returns                             ┘
//
// Every bit of every number counts. The run uses the CPU and one thread, and needs no libtorch.
#pragma once

#include <string>

namespace rhumb::zoo {

struct SelfTestReport {
  std::string signature;  // 16 hexadecimal digits
  int environments = 0;
  int steps = 0;  // simulated, over all environments
  int models = 0;
};

// Takes a second or two.
SelfTestReport RunSelfTest();

}  // namespace rhumb::zoo
